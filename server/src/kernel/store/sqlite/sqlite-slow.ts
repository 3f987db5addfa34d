import type { Worker } from 'node:worker_threads'
import { startThread } from '../../lib/process/start-thread.ts'
import { type Dialect, type Param, type Reader, type RecordPage, StoreUnavailableError } from '../sql.ts'
import { translated } from './sqlite-errors.ts'

interface Answer {
  id: number
  result?: unknown
  error?: { message: string; errcode?: number }
}

interface Call {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Runs statements on a thread that is started when it is first needed. When it ends, what still waits for it fails, and
 * so does what is asked once it is closed: nobody waits for an answer that never comes.
 */
export function slowReader(path: string, dialect: Dialect): { reader: Reader; close(): Promise<void> } {
  let worker: Worker | undefined
  let lastId = 0
  let closed = false
  const waiting = new Map<number, Call>()

  const fail = (error: StoreUnavailableError): void => {
    worker = undefined
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
  }

  const start = (): Worker => {
    const made = startThread(new URL('./sqlite-thread.ts', import.meta.url), { path })
    made.on('message', ({ id, result, error }: Answer) => {
      const call = waiting.get(id)
      waiting.delete(id)
      if (waiting.size === 0) made.unref()
      if (error) call?.reject(translated(Object.assign(new Error(error.message), { errcode: error.errcode })))
      else call?.resolve(result)
    })
    made.on('error', (cause) => fail(new StoreUnavailableError('the reader thread stopped', { cause })))
    return made
  }

  const ask = async <T>(
    call: 'all' | 'page',
    sql: string,
    params: readonly Param[],
    limit = 0,
  ): Promise<T> => {
    if (closed) throw new StoreUnavailableError('the store is closed')
    worker ??= start()
    worker.ref()
    const id = ++lastId
    worker.postMessage({ id, call, sql, params, limit })
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as T), reject })
    })
  }

  return {
    reader: {
      dialect,
      all: <T>(sql: string, params: readonly Param[] = []) => ask<T[]>('all', sql, params),
      get: async <T>(sql: string, params: readonly Param[] = []) => (await ask<T[]>('all', sql, params))[0],
      page: (sql, params, limit) => ask<RecordPage>('page', sql, params, limit),
    },
    close: async () => {
      closed = true
      const ending = worker
      fail(new StoreUnavailableError('the store is closed'))
      await ending?.terminate()
    },
  }
}
