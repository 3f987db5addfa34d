import type { Logger } from 'pino'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import {
  extensionCounting,
  recordCountAborted,
  recordCountFinished,
  recordCountStarted,
} from './extension-counting.service.ts'
import { countExtensions } from './extension-groups.ts'

/** Keeps the counts of extensions up to date within a budget of time. */
export interface ExtensionCounter {
  /**
   * Starts a new count if the counts are old, and waits briefly for it. Old counts stay visible until the new
   * ones are written.
   */
  freshen(org: number): Promise<void>
  /** Aborts running counts and waits until they end. */
  stop(): Promise<void>
}

/** Counting may take 1/50 of the time: a count that took one second stays valid for 50 seconds. */
const validityFactor = 50
/**
 * Another process may take over a count after three times the duration of the last one: the first process
 * must have died.
 */
const takeoverFactor = 3
const takeoverMinimumMs = 60_000
const waitMaximumMs = 150

/** @param waitMs maximum time that a request waits for new counts */
export function extensionCounter(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  waitMs = waitMaximumMs,
): ExtensionCounter {
  const running = new Map<number, { readonly work: Promise<void>; readonly startMs: number }>()
  const stopping = new AbortController()

  const count = async (org: number) => {
    const startedMs = clock.nowMs()
    if (!(await db.inTransaction((tx) => claimCount(tx, org, startedMs)))) return
    const startMs = performance.now()
    try {
      await countExtensions(db, org, stopping.signal)
    } catch (error) {
      await db.inTransaction((tx) => recordCountAborted(tx, org, startedMs))
      throw error
    }
    const tookMs = Math.ceil(performance.now() - startMs)
    await db.inTransaction((tx) => recordCountFinished(tx, org, startedMs, tookMs))
  }

  const countOnce = (org: number) => {
    const known = running.get(org)
    if (known) return known
    const work = count(org)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'could not count the extensions')
      })
      .finally(() => running.delete(org))
    const entry = { work, startMs: performance.now() }
    running.set(org, entry)
    return entry
  }

  return {
    freshen: async (org) => {
      const known = await extensionCounting(db, org)
      const age = known?.countedMs == null ? Number.POSITIVE_INFINITY : clock.nowMs() - known.countedMs
      if (age >= 0 && age <= (known?.tookMs ?? 0) * validityFactor) return
      const { work, startMs } = countOnce(org)
      // Only requests near the start of the count wait; later ones would wait for a slow count.
      const leftMs = Math.max(0, startMs + waitMs - performance.now())
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, leftMs)
      })
      await Promise.race([work, timeout])
      clearTimeout(timer)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([...running.values()].map(({ work }) => work))
    },
  }
}

/** Claims the count for this process; false while another process counts. */
async function claimCount(
  tx: Parameters<typeof recordCountStarted>[0],
  org: number,
  nowMs: number,
): Promise<boolean> {
  await tx.lock(`extension counts ${org}`)
  const known = await extensionCounting(tx, org)
  const unfinished = known && (known.countedMs ?? -1) < known.begunMs
  const takeoverMs = Math.max(takeoverMinimumMs, takeoverFactor * (known?.tookMs ?? 0))
  // A start far in the future was recorded by a clock that has been set back since.
  if (known && unfinished && Math.abs(nowMs - known.begunMs) < takeoverMs) return false
  await recordCountStarted(tx, org, nowMs)
  return true
}
