import { vi } from 'vitest'

/** Long enough for the system to deliver data on this machine. */
const pauseMs = 50

/**
 * Blocks the process while `ms` of its fake timers pass, like an overloaded machine: afterwards, sent data has arrived but
 * is not read yet.
 */
export function blockProcess(ms: number): void {
  // Timers run after this, and sockets after the timers.
  setImmediate(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    vi.advanceTimersByTime(ms)
  })
}
