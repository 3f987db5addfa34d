import type { Detection } from '@muster/contract/records/detection'
import type { Change } from '../../kernel/actions/record-audit-events.rules.ts'
import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import {
  addMarks,
  advanceAllMark,
  hasMarks,
  nextAllMark,
  nextDetections,
  nextMarks,
  removeMarks,
} from './incident-marks.store.ts'
import { regroupDetections } from './regroup-detections.ts'

/** Detections per transaction: few enough for other requests on the embedded store. */
const perTransaction = 40

const lockName = 'incidents'

/**
 * Puts all marked detections into their incidents, in small transactions. Only one process of a store does so at a time.
 *
 * @throws the abort reason of the signal; the rest stays marked
 */
export async function groupMarkedDetections(db: Db, signal?: AbortSignal): Promise<void> {
  if (!(await hasMarks(db))) return
  while (await db.inTransaction(async (tx) => (await tx.tryLock(lockName)) && groupSome(tx))) {
    signal?.throwIfAborted()
    await yieldToEventLoop()
  }
}

/** Puts the marked detections of an organization into their incidents, in the transaction that has marked them. */
export async function groupMarkedDetectionsNow(tx: Tx, org: number): Promise<void> {
  await tx.lock(lockName)
  while (await groupMarks(tx, org));
}

/** Marks the detections whose page was replaced, which only an import does. Triggers mark other changes. */
export const markReplacedPages = (
  tx: Tx,
  org: number,
  changes: readonly Change<Detection>[],
): Promise<void> =>
  addMarks(
    tx,
    org,
    changes.flatMap(({ before, after }) => (before && after && before.url !== after.url ? [after.id] : [])),
  )

/** @returns true if more may be marked */
async function groupSome(tx: Tx): Promise<boolean> {
  if (await groupMarks(tx)) return true
  const all = await nextAllMark(tx)
  if (!all) return false
  const found = await nextDetections(tx, all, perTransaction)
  const last = found.at(-1)
  if (last) await advanceAllMark(tx, all.number, Number(last.seq))
  else await removeMarks(tx, [all.number])
  await regroupDetections(
    tx,
    all.org,
    found.map(({ id }) => id),
  )
  return true
}

/** Removes the marks before it reads, so that a later change leaves a mark of its own. */
async function groupMarks(tx: Tx, org?: number): Promise<boolean> {
  const marks = await nextMarks(tx, perTransaction, org)
  if (marks.length === 0) return false
  await removeMarks(
    tx,
    marks.map(({ number }) => number),
  )
  for (const [of, own] of Map.groupBy(marks, (mark) => Number(mark.org)))
    await regroupDetections(
      tx,
      of,
      own.map(({ detectionId }) => detectionId),
    )
  return true
}

/** Puts marked detections into their incidents every second. */
export const incidentsJob = (db: Db): RepeatOptions => ({
  name: 'incidents',
  everyMs: 1000,
  logOnce: true,
  run: (signal) => groupMarkedDetections(db, signal),
})
