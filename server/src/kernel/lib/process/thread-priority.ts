import { getPriority, setPriority } from 'node:os'

/** Increase of the nice value: a thread gets a quarter of a core that both threads want. */
const niceIncrease = 5
const niceMaximum = 19

/**
 * Lowers the priority of the calling thread, so other threads of the process do not wait for its time slice. Has no effect on
 * systems other than Linux, which have no thread priorities, and where it is not permitted.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // On Linux these apply to the calling thread: setpriority(2), "C library/kernel differences".
    setPriority(Math.min(niceMaximum, getPriority() + niceIncrease))
  } catch {
    // Forbidden by a sandbox: the thread keeps its priority.
  }
}
