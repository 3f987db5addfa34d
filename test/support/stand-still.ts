import { vi } from 'vitest'

/** Long enough for the system to hand over what was sent on this machine. */
const pauseMs = 50

/**
 * Lets this whole process pause, and `ms` of its faked timers pass meanwhile, as when the machine has no time for it:
 * what was sent to it has arrived when it goes on, but is not read.
 */
export function standStill(ms: number): void {
  // Timers come after this; sockets only after them.
  setImmediate(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    vi.advanceTimersByTime(ms)
  })
}
