/**
 * Calls when a time is over and all that has arrived until then is read: after a pause of the whole process its timers
 * come before its sockets, and would find what came long ago too late.
 *
 * @param ms the time, in milliseconds
 * @param call must do no harm when it comes after the end of what was waited for: only until the time is over is clearing
 * the timer in time
 * @returns the timer
 */
export const setTimeoutAfterIo = (ms: number, call: () => void): NodeJS.Timeout =>
  setTimeout(() => setImmediate(call), ms)
