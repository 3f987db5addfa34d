/** Kind of store. */
export type StoreName = 'sqlite' | 'postgres'

/**
 * Stores for tests: `for (const store of STORES) describe(store, …)`. SQLite comes first: it has a single connection, so
 * a statement outside of its transaction hangs at once. `npm run test:fast` uses SQLite only.
 */
export const STORES: readonly StoreName[] =
  process.env.TEST_STORES === 'sqlite' ? ['sqlite'] : ['sqlite', 'postgres']
