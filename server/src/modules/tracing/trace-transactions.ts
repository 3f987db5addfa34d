import type { Tracing } from '../../kernel/lib/tracing.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Returns the same store; transactions of requests are spans, and their events keep the trace. */
export function traceTransactions<Store extends Db>(store: Store, tracing: Tracing): Store {
  const inTransaction: Db['inTransaction'] = async (work) => {
    const request = tracing.current()
    if (!request) return store.inTransaction(work)
    const span = tracing.startSpan('transaction', 'INTERNAL', request.traceparent)
    try {
      const result = await store.inTransaction((tx) => {
        tx.unit.outbox.onWritten = (eventIds) => tracing.keepTrace(eventIds, request)
        return work(tx)
      })
      span.end()
      return result
    } catch (error) {
      span.end({}, error instanceof Error ? error.name : 'error')
      throw error
    }
  }
  return { ...store, inTransaction }
}
