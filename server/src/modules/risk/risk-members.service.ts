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

/** Adds members to stored records. */
function withMembers(
  texts: readonly string[],
  ids: readonly string[],
  membersOf: (id: string) => object,
): string[] {
  return texts.map((text, at) => `${text.slice(0, -1)},${JSON.stringify(membersOf(ids[at] ?? '')).slice(1)}`)
}

const idsIn = (texts: readonly string[]): string[] =>
  texts.map((text) => (JSON.parse(text) as { id: string }).id)

/** Adds the risk of employees or accounts to their stored records. */
export async function addRisks(
  db: Reader,
  org: number,
  table: 'employees' | 'accounts',
  texts: readonly string[],
): Promise<string[]> {
  if (texts.length === 0) return []
  const ids = idsIn(texts)
  const rows = await columnsOf<{ id: string; score: number | null }>(
    db,
    org,
    table,
    't.risk_score AS score',
    ids,
  )
  return withMembers(texts, ids, (id): RecordRisk => ({ risk: riskLevelOf(rows.get(id)?.score ?? null) }))
}

interface PriorityRow {
  readonly id: string
  readonly score: number | null
  readonly rules: string | null
}

/** Adds priorities to stored findings. */
export async function addPriorities(db: Reader, org: number, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return []
  const ids = idsIn(texts)
  const columns = 't.priority_score AS score, t.priority_rules AS rules'
  const rows = await columnsOf<PriorityRow>(db, org, 'findings', columns, ids)
  return withMembers(texts, ids, (id) => priorityMembers(rows.get(id)))
}

function priorityMembers(row: PriorityRow | undefined): FindingPriority {
  const score = row?.score ?? null
  return {
    priority: score === null ? null : priorityOf(score),
    priorityScore: score,
    // A newer version may have stored rules that this one does not know.
    priorityReasons: (row?.rules ?? '').split(',').filter((rule): rule is RiskRuleId => rule in riskRules),
  }
}
