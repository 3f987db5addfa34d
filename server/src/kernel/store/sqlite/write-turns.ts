import type { MessagePort } from 'node:worker_threads'

/** Who may write to the embedded store: those of one process, one after the other, as they asked. */
export interface WriteTurns {
  /** Waits for a turn. @returns what ends it */
  take(): Promise<() => void>
}

/** What one side of a port tells the other. */
type Word = 'asked' | 'given' | 'ended' | 'told'

/** The turns of a process. */
export function writeTurns(): WriteTurns {
  let last = Promise.resolve()
  return {
    take: () => {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      return before.then(() => resolve)
    },
  }
}

/**
 * Lets another thread take turns by the other end of `port`. When that closes, because the thread has ended in whatever
 * way, its turn has ended, too.
 *
 * @param onTold called when that thread has committed events that are to be delivered
 */
export function lendTurns(turns: WriteTurns, port: MessagePort, onTold: () => void): void {
  let end: (() => void) | undefined
  let closed = false
  const give = async (): Promise<void> => {
    end = await turns.take()
    if (closed) end()
    else port.postMessage('given' satisfies Word)
  }
  port.on('message', (word: Word) => {
    if (word === 'asked') void give()
    if (word === 'ended') end?.()
    if (word === 'told') onTold()
  })
  port.on('close', () => {
    closed = true
    end?.()
  })
  // Whoever has a thread at work waits for the thread.
  port.unref()
}

/** The turns that are lent by the other end of `port`. To be asked by one store, which takes one at a time. */
export function borrowedTurns(port: MessagePort): WriteTurns {
  const waiting: (() => void)[] = []
  port.on('message', () => waiting.shift()?.())
  port.unref()
  const end = () => port.postMessage('ended' satisfies Word)
  return {
    take: () => {
      const given = new Promise<() => void>((resolve) => waiting.push(() => resolve(end)))
      port.postMessage('asked' satisfies Word)
      return given
    },
  }
}

/** Tells the lender of turns that events were committed. */
export const tellLender = (port: MessagePort): void => port.postMessage('told' satisfies Word)
