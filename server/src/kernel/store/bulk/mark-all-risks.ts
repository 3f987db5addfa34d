import type { SqlTx } from '../sql.ts'

/** Marks all findings of all organizations, after their tables were filled without triggers. */
export const markAllRisks = (tx: SqlTx): Promise<number> =>
  tx.run("INSERT INTO risk_changes (org, kind) SELECT no, 'ALL' FROM organizations")
