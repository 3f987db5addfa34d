import { parentPort } from 'node:worker_threads'
import type { Param, RecordPage } from '../sql.ts'
import { SqliteConnection } from './sqlite-connection.ts'

interface Call {
  id: number
  call: 'all' | 'page'
  sql: string
  params: readonly Param[]
  limit: number
}

/** Runs the thread behind `Db.slow`. It executes one statement at a time on its own connection. */
export function runThread({ path }: { readonly path: string }): void {
  const connection = new SqliteConnection(path, { readOnly: true })
  parentPort?.on('message', ({ id, call, sql, params, limit }: Call) => {
    try {
      const result = call === 'page' ? pageOf(connection, sql, params, limit) : connection.all(sql, params)
      parentPort?.postMessage({ id, result })
    } catch (error) {
      const { message, errcode } = error as { message: string; errcode?: number }
      parentPort?.postMessage({ id, error: { message, errcode } })
    }
  })
}

/** Returns a page without its function, which cannot be sent to another thread. */
function pageOf(
  connection: SqliteConnection,
  sql: string,
  params: readonly Param[],
  limit: number,
): RecordPage {
  const { release: _release, ...page } = connection.page(sql, params, limit)
  return page
}
