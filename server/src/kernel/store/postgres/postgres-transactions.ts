/** Codes of the warnings that a transaction is already in progress, or that there is none. */
const transactionWarnings = new Set(['25001', '25P01'])

/** Returns true for the warning that `BEGIN`, `COMMIT` or `ROLLBACK` had no effect. The driver must treat it as an error. */
export const isTransactionWarning = (code: string): boolean => transactionWarnings.has(code)

/**
 * Checks the reply to `COMMIT`, which is `ROLLBACK` for a failed transaction.
 *
 * @throws Error with the code of a lost connection, because nobody knows what was committed
 */
export function checkCommitted({ command }: { readonly command: string }): void {
  if (command === 'COMMIT') return
  const message = `PostgreSQL answered COMMIT with ${command}`
  throw Object.assign(new Error(message), { code: 'CONNECTION_NOT_COMMITTED' })
}
