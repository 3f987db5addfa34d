import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Marks of single records. `APP` and `ALL` mark ranges of findings. */
type RecordKind = 'ACCOUNT' | 'EMPLOYEE' | 'FINDING'

/** A record whose scores may be outdated. */
export interface RiskChange {
  readonly number: number
  readonly org: number
  readonly kind: RecordKind
  readonly id: string
}

/** A range of findings whose scores may be outdated: those of an app, or all if `id` is null. */
export interface RiskRange {
  readonly number: number
  readonly org: number
  readonly id: string | null
  readonly doneSeq: number
}

/** Returns true if a record is marked. */
export const hasRiskChanges = async (db: Reader): Promise<boolean> =>
  (await db.get('SELECT 1 AS found FROM risk_changes LIMIT 1')) !== undefined

/** Returns true if all findings of an organization are marked. */
export const isOrganizationMarked = async (db: Reader, org: number): Promise<boolean> =>
  (await db.get("SELECT 1 AS found FROM risk_changes WHERE org = ? AND kind = 'ALL' LIMIT 1", [org])) !==
  undefined

/** Returns the oldest marks of single records. */
export const nextRiskChanges = (tx: Tx, limit: number): Promise<RiskChange[]> =>
  tx.all<RiskChange>(
    "SELECT number, org, kind, id FROM risk_changes WHERE kind NOT IN ('APP', 'ALL') ORDER BY number LIMIT ?",
    [limit],
  )

/** Returns the oldest mark of a range. */
export const nextRiskRange = (tx: Tx): Promise<RiskRange | undefined> =>
  tx.get<RiskRange>(
    `SELECT number, org, id, done_seq AS "doneSeq" FROM risk_changes WHERE kind IN ('APP', 'ALL') ORDER BY number LIMIT 1`,
  )

/** Removes marks. */
export async function removeRiskChanges(tx: Tx, numbers: readonly number[]): Promise<void> {
  const marks = numbers.map(() => '?').join(', ')
  await tx.run(`DELETE FROM risk_changes WHERE number IN (${marks})`, numbers)
}

/** Records how far a range is done. */
export async function advanceRiskRange(tx: Tx, number: number, doneSeq: number): Promise<void> {
  await tx.run('UPDATE risk_changes SET done_seq = ? WHERE number = ?', [doneSeq, number])
}

/** Marks all open findings of an organization. A mark that has not been started is enough. */
export async function markOrganization(tx: Tx, org: number): Promise<void> {
  const waiting = "SELECT 1 FROM risk_changes WHERE org = ? AND kind = 'ALL' AND done_seq = 0"
  await tx.run(
    `INSERT INTO risk_changes (org, kind) SELECT no, 'ALL' FROM organizations WHERE no = ? AND NOT EXISTS (${waiting})`,
    [org, org],
  )
}

/** Marks the accounts with open findings that were last used from one time to below another; UNIX seconds. */
export async function markAccountsUsed(tx: Tx, org: number, from: number, below: number): Promise<void> {
  await tx.run(
    `INSERT INTO risk_changes (org, kind, id) SELECT a.org, 'ACCOUNT', a.id FROM accounts AS a
      WHERE a.org = ? AND a.last_used_timestamp >= ? AND a.last_used_timestamp < ?
        AND EXISTS (SELECT 1 FROM findings AS f WHERE f.org = a.org AND f.account_id = a.id AND f.state = 'OPEN')`,
    [org, from, below],
  )
}

/** A finding of a range. */
export interface RangeFinding {
  readonly seq: number
  readonly id: string
  readonly accountId: string | null
}

/** Returns the next open findings of a range, in the order of an index. */
export const nextRangeFindings = (
  tx: Tx,
  { org, id, doneSeq }: RiskRange,
  limit: number,
): Promise<RangeFinding[]> => {
  const { dialect } = tx
  const [index, where, params] =
    id === null
      ? ['findings_by_state', "state = 'OPEN'", [org]]
      : ['findings_by_app_id', `app_id = ? AND ${dialect.withoutIndex('state', 'text')} = 'OPEN'`, [org, id]]
  return tx.all<RangeFinding>(
    `SELECT seq, id, account_id AS "accountId" FROM findings${dialect.indexedBy(String(index))}
      WHERE org = ? AND ${where} AND seq > ? ORDER BY seq LIMIT ?`,
    [...params, doneSeq, limit],
  )
}

/** Returns the accounts and the findings without an account of employees. */
export const findingsOfEmployees = (
  tx: Tx,
  org: number,
  employeeIds: readonly string[],
): Promise<Omit<RangeFinding, 'seq'>[]> =>
  tx.all(
    `SELECT t.id AS id, t.account_id AS "accountId" FROM ${tx.dialect.seekByValues('findings', 'employee_id', 'findings_by_employee_id')}`,
    [JSON.stringify(employeeIds), org],
  )
