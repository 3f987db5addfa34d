import type { Flows, Levels } from '@muster/contract/console/trends/daily-figures'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import type { DaySpan } from './flows.store.ts'

/** Figures of a day. `levels` is null if nobody counted them. */
export interface DayFigures {
  readonly day: number
  readonly flows: Flows
  readonly levels: Levels | null
}

/** Reads the stored days of a span, oldest first. */
export async function readDays(db: Reader, org: number, { from, to }: DaySpan): Promise<DayFigures[]> {
  const rows = await db.all<{ day: number; flows: string; levels: string | null }>(
    'SELECT day, flows, levels FROM daily_figures WHERE org = ? AND day >= ? AND day < ? ORDER BY day',
    [org, from, to],
  )
  return rows.map(({ day, flows, levels }) => ({
    day,
    flows: JSON.parse(flows) as Flows,
    levels: levels === null ? null : (JSON.parse(levels) as Levels),
  }))
}

/** Returns the first day whose levels were counted. */
export async function firstDayWithLevels(db: Reader, org: number): Promise<number | null> {
  const sql = 'SELECT min(day) AS day FROM daily_figures WHERE org = ? AND levels IS NOT NULL'
  return (await db.get<{ day: number | null }>(sql, [org]))?.day ?? null
}

/** Stores days. A day that is stored already stays as it is. */
export const insertDays = (tx: Tx, org: number, days: readonly DayFigures[]): Promise<number> =>
  tx.insert(
    'daily_figures',
    ['org', 'day', 'flows', 'levels'],
    days.map(({ day, flows, levels }) => [org, day, JSON.stringify(flows), levels && JSON.stringify(levels)]),
    'ON CONFLICT (org, day) DO NOTHING',
  )
