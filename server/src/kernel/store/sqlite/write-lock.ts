import type { MessagePort } from 'node:worker_threads'

/** Permission to write to the embedded store. Within a process it is granted in the order of requests. */
export interface WriteLock {
  /** Waits for the lock. @returns a function that releases it */
  acquire(): Promise<() => void>
}

type LockMessage = 'request' | 'grant' | 'release' | 'events'

/** Creates the write lock of a process. */
export function createWriteLock(): WriteLock {
  let last = Promise.resolve()
  return {
    acquire: () => {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      return before.then(() => resolve)
    },
  }
}

/**
 * Lets another thread use the lock through the other end of `port`. When the port closes, because the thread ended for
 * whatever reason, its lock is released.
 *
 * @param onEvents called after the thread has committed events to deliver
 */
export function serveWriteLock(lock: WriteLock, port: MessagePort, onEvents: () => void): void {
  let release: (() => void) | undefined
  let closed = false
  const grant = async (): Promise<void> => {
    release = await lock.acquire()
    if (closed) release()
    else port.postMessage('grant' satisfies LockMessage)
  }
  port.on('message', (message: LockMessage) => {
    if (message === 'request') void grant()
    if (message === 'release') release?.()
    if (message === 'events') onEvents()
  })
  port.on('close', () => {
    closed = true
    release?.()
  })
  // The worker keeps the process alive while it has work; the port must not.
  port.unref()
}

/** Returns the lock at the other end of `port`. Only one store may use it, with one request at a time. */
export function remoteWriteLock(port: MessagePort): WriteLock {
  const waiting: (() => void)[] = []
  port.on('message', () => waiting.shift()?.())
  port.unref()
  const release = () => port.postMessage('release' satisfies LockMessage)
  return {
    acquire: () => {
      const granted = new Promise<() => void>((resolve) => waiting.push(() => resolve(release)))
      port.postMessage('request' satisfies LockMessage)
      return granted
    },
  }
}

/** Tells the thread at the other end that events were committed. */
export const notifyEvents = (port: MessagePort): void => port.postMessage('events' satisfies LockMessage)
