import { parentPort, workerData } from 'node:worker_threads'
import type { Param } from '../sql.ts'
import { SqliteConnection } from './sqlite-connection.ts'

/** The thread behind `Db.slow`: it answers one statement at a time, from a connection of its own. */
interface Call {
  id: number
  call: 'all' | 'page'
  sql: string
  params: readonly Param[]
  limit: number
}

const connection = new SqliteConnection((workerData as { path: string }).path, { readOnly: true })

parentPort?.on('message', ({ id, call, sql, params, limit }: Call) => {
  try {
    const result = call === 'page' ? connection.page(sql, params, limit) : connection.all(sql, params)
    parentPort?.postMessage({ id, result })
  } catch (error) {
    const { message, errcode } = error as { message: string; errcode?: number }
    parentPort?.postMessage({ id, error: { message, errcode } })
  }
})
