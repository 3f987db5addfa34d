/** A store that Muster runs on. */
export type StoreName = 'sqlite' | 'postgres'

/**
 * The stores that every test through a store runs on: `for (const store of STORES) describe(store, …)`.
 *
 * SQLite comes first: it has one connection, so it hangs at once where a statement misses its transaction.
 */
export const STORES: readonly StoreName[] = ['sqlite', 'postgres']
