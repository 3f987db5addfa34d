import { derivedDays } from '@muster/contract/console/trends/console-trends'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import { type DayFigures, insertDays, readDays } from './daily-figures.store.ts'
import { countFlows, type DaySpan, daySeconds } from './flows.store.ts'
import { countLevels } from './levels.store.ts'

/** Returns the day of a time, counted from the UNIX epoch. */
export const dayOfSeconds = (seconds: number): number => Math.floor(seconds / daySeconds)

/**
 * Stores the figures of all days that have ended and are not stored yet. Levels belong to yesterday, because they can only be
 * counted now. Days that nobody counted get flows only. Concurrent and repeated runs change nothing that is stored.
 */
export async function keepDailyFigures(
  db: Db,
  org: number,
  nowSeconds: number,
  signal?: AbortSignal,
): Promise<void> {
  const today = dayOfSeconds(nowSeconds)
  const yesterday = today - 1
  const span = { from: Math.max(0, today - derivedDays), to: today }
  const missing = await missingDays(db.slow, org, span, await readDays(db, org, span))
  if (missing.length === 0) return
  signal?.throwIfAborted()
  const lacksYesterday = missing.some(({ day }) => day === yesterday)
  const levels = lacksYesterday ? await countLevels(db.slow, org) : null
  signal?.throwIfAborted()
  const days = missing.map((figures) => (figures.day === yesterday ? { ...figures, levels } : figures))
  await db.inTransaction((tx) => insertDays(tx, org, days))
}

/**
 * Forgets the days that have flows only, after records with earlier times were imported. They are counted again when they
 * are read or stored next time.
 */
export const forgetCountedDays = (tx: Tx, org: number): Promise<number> =>
  tx.run('DELETE FROM daily_figures WHERE org = ? AND levels IS NULL', [org])

/** Reads the figures of all days of a span, oldest first. Counts the flows of days that are not stored from records. */
export async function daysIn(db: Reader, org: number, span: DaySpan): Promise<DayFigures[]> {
  const stored = await readDays(db, org, span)
  const missing = await missingDays(db, org, span, stored)
  return [...stored, ...missing].toSorted((one, other) => one.day - other.day)
}

/** Counts the flows of the days of a span that are not stored. */
async function missingDays(
  db: Reader,
  org: number,
  { from, to }: DaySpan,
  stored: readonly DayFigures[],
): Promise<DayFigures[]> {
  const known = new Set(stored.map(({ day }) => day))
  const missing = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at).filter(
    (day) => !known.has(day),
  )
  const [first, last] = [missing[0], missing.at(-1)]
  if (first === undefined || last === undefined) return []
  const counted = await countFlows(db, org, { from: first, to: last + 1 })
  return missing.map((day) => ({ day, flows: counted.get(day) ?? {}, levels: null }))
}
