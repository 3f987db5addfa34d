import type { Worker } from 'node:worker_threads'
import { startThread } from '../../lib/process/start-thread.ts'
import { type Dialect, type Param, type Reader, type RecordPage, StoreUnavailableError } from '../sql.ts'
import { translated } from './sqlite-errors.ts'

interface Reply {
  id: number
  result?: unknown
  error?: { message: string; errcode?: number }
}

interface Call {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Runs statements on a thread, which starts with the first statement. Calls that are pending when the thread ends are
 * rejected, and so are all calls after `close`.
 */
export function threadReader(path: string, dialect: Dialect): { reader: Reader; close(): Promise<void> } {
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
    const thread = startThread(new URL('./sqlite-reader-worker.ts', import.meta.url), { path })
    thread.on('message', ({ id, result, error }: Reply) => {
      const call = waiting.get(id)
      waiting.delete(id)
      if (waiting.size === 0) thread.unref()
      if (error) call?.reject(translated(Object.assign(new Error(error.message), { errcode: error.errcode })))
      else call?.resolve(result)
    })
    thread.on('error', (cause) => fail(new StoreUnavailableError('the reader thread has stopped', { cause })))
    return thread
  }

  const request = async <T>(
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
      all: <T>(sql: string, params: readonly Param[] = []) => request<T[]>('all', sql, params),
      get: async <T>(sql: string, params: readonly Param[] = []) =>
        (await request<T[]>('all', sql, params))[0],
      page: (sql, params, limit) => request<RecordPage>('page', sql, params, limit),
    },
    close: async () => {
      closed = true
      const ending = worker
      fail(new StoreUnavailableError('the store is closed'))
      await ending?.terminate()
    },
  }
}
