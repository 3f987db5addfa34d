import type { Param, Reader, SqlTx } from '../sql.ts'

interface SharedQuery {
  isSent: boolean
  rows: Promise<unknown[]>
}

/**
 * Lets callers that ask the same at the same time share a query. While one runs, all further callers get the rows of the next
 * one. So each query is sent after all of its callers asked.
 */
export function shareQueries(reader: Pick<Reader, 'all'>): SqlTx['readShared'] {
  const latest = new Map<string, SharedQuery>()

  const share = (sql: string, params: readonly Param[]): Promise<unknown[]> => {
    const key = JSON.stringify([sql, params])
    const before = latest.get(key)
    if (before && !before.isSent) return before.rows
    const query: SharedQuery = { isSent: false, rows: Promise.resolve([]) }
    const send = async (): Promise<unknown[]> => {
      // If the one before failed, its callers know.
      await before?.rows.catch(() => undefined)
      query.isSent = true
      try {
        return await reader.all(sql, params)
      } finally {
        if (latest.get(key) === query) latest.delete(key)
      }
    }
    latest.set(key, query)
    query.rows = send()
    return query.rows
  }

  return <T>(sql: string, params: readonly Param[]) => share(sql, params) as Promise<T[]>
}
