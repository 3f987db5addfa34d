/**
 * Like `setTimeout`, but runs the callback after one turn of I/O. After a pause of the whole process, timers fire before
 * sockets are read, so data that arrived during the pause would count as late.
 *
 * @param callback may still run after the timer was cleared, if the timer had fired already
 */
export const setTimeoutAfterIo = (ms: number, callback: () => void): NodeJS.Timeout =>
  setTimeout(() => setImmediate(callback), ms)
