/**
 * Calls when a time is over and all that has arrived until then is read: after a pause of the whole process its timers
 * come before its sockets, and would find what came long ago too late.
 *
 * @returns the timer, which can be cleared as any other
 */
export const whenOver = (ms: number, call: () => void): NodeJS.Timeout =>
  setTimeout(() => setImmediate(call), ms)
