import { getPriority, setPriority } from 'node:os'

/** So much "nicer" a thread that gives way is: of a processor that both want it gets a quarter. */
const nicer = 5
const nicest = 19

/**
 * Lets the calling thread give way to the others of its process, which then need not wait until it has had its time
 * slice. Only Linux has priorities of threads; elsewhere, and where it is not permitted, nothing happens.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // Of the thread that calls, in spite of their names: setpriority(2), "C library/kernel differences".
    setPriority(Math.min(nicest, getPriority() + nicer))
  } catch {
    // A sandbox forbids it; the work is done all the same.
  }
}
