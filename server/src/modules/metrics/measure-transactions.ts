import { type Db, StoreUnavailableError } from '../../kernel/store/sql.ts'
import type { ServerMetrics } from './metrics.ts'

type Observer = Pick<ServerMetrics, 'observeTransactionStart' | 'observeTransactionEnd'>

/** Returns the same store; its transactions are measured. Reads are not: they must stay as fast as they are. */
export function measureTransactions<Store extends Db>(store: Store, observer: Observer): Store {
  const inTransaction: Db['inTransaction'] = async (work) => {
    const startMs = performance.now()
    let isUnavailable = false
    observer.observeTransactionStart()
    try {
      return await store.inTransaction(work)
    } catch (error) {
      isUnavailable = error instanceof StoreUnavailableError
      throw error
    } finally {
      observer.observeTransactionEnd(performance.now() - startMs, isUnavailable)
    }
  }
  return { ...store, inTransaction }
}
