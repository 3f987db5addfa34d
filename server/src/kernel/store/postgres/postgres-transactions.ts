/** Error codes of warnings that a transaction is not the one that was begun: there is one already, or none. */
const transactionWarnings = new Set(['25001', '25P01'])

/** True for PostgreSQL's warning that `BEGIN`, `COMMIT` or `ROLLBACK` did nothing; the driver treats it as an error. */
export const isTransactionWarning = (code: string): boolean => transactionWarnings.has(code)

/**
 * Checks the answer to `COMMIT`, which is `ROLLBACK` for a transaction that has failed.
 *
 * @throws Error with a code of lost connections: it is not known what was done
 */
export function checkCommitted({ command }: { readonly command: string }): void {
  if (command === 'COMMIT') return
  const message = `PostgreSQL answered COMMIT with ${command}`
  throw Object.assign(new Error(message), { code: 'CONNECTION_NOT_COMMITTED' })
}
