import type { Finding } from '@muster/contract/records/finding'
import type { FindingPriority, RecordRisk } from '@muster/contract/risk/console-priority'
import { priorityOf, riskLevelOf } from '@muster/contract/risk/risk-levels'
import { type RiskRuleId, riskRules } from '@muster/contract/risk/risk-rules'
import type { Reader } from '../../kernel/store/sql.ts'

/** Reads columns of records by ID. */
async function columnsOf<R extends { readonly id: string }>(
  db: Reader,
  org: number,
  table: string,
  columns: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, R>> {
  const source = db.dialect.seekByValues(table, 'id', `${table}_id`)
  const sql = `SELECT t.id AS id, ${columns} FROM ${source}`
  const rows = await db.all<R>(sql, [JSON.stringify(ids), org])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Record of a list. */
type Listed = Pick<Finding, 'id'>

/** Returns the risk of employees or accounts, by record. */
export const riskMembers =
  (table: 'employees' | 'accounts') =>
  async (db: Reader, { org }: { readonly org: number }, records: readonly Listed[]) => {
    const ids = records.map(({ id }) => id)
    const rows = await columnsOf<{ id: string; score: number | null }>(
      db,
      org,
      table,
      't.risk_score AS score',
      ids,
    )
    return ({ id }: Listed): RecordRisk => ({ risk: riskLevelOf(rows.get(id)?.score ?? null) })
  }

interface PriorityRow {
  readonly id: string
  readonly score: number | null
  readonly rules: string | null
}

/** Returns the priorities of findings, by record. */
export async function priorityMembers(
  db: Reader,
  { org }: { readonly org: number },
  records: readonly Listed[],
): Promise<(record: Listed) => FindingPriority> {
  const columns = 't.priority_score AS score, t.priority_rules AS rules'
  const ids = records.map(({ id }) => id)
  const rows = await columnsOf<PriorityRow>(db, org, 'findings', columns, ids)
  return ({ id }) => priorityOfRow(rows.get(id))
}

function priorityOfRow(row: PriorityRow | undefined): FindingPriority {
  const score = row?.score ?? null
  return {
    priority: score === null ? null : priorityOf(score),
    priorityScore: score,
    // A newer version may have stored rules that this one does not know.
    priorityReasons: (row?.rules ?? '').split(',').filter((rule): rule is RiskRuleId => rule in riskRules),
  }
}
