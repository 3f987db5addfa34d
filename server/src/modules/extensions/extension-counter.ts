import type { Logger } from 'pino'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import {
  extensionCounting,
  noteCountingBegun,
  noteCountingEnded,
  noteCountingGivenUp,
} from './extension-counting.service.ts'
import { countExtensions } from './extension-groups.ts'

/** Keeps the counts of extensions as new as it can afford to. */
export interface ExtensionCounter {
  /**
   * Begins to count anew if the counts are old, and waits for that, but not long: the old counts are shown until the new
   * ones are there.
   */
  freshen(org: number): Promise<void>
  /** Gives up what is being counted, and waits until that has ended. */
  stop(): Promise<void>
}

/** A fiftieth of the time may go into counting: what took a second stays for fifty. */
const restsPerCount = 50
/** Who counts is not disturbed for three times as long as it took last; after that, it must have died. */
const patience = 3
const patienceMinimumMs = 60_000
const waitMaximumMs = 150

/** @param waitMs how long a request waits for new counts at most */
export function extensionCounter(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  waitMs = waitMaximumMs,
): ExtensionCounter {
  const running = new Map<number, { readonly work: Promise<void>; readonly startMs: number }>()
  const stopping = new AbortController()

  const count = async (org: number) => {
    const begunMs = clock.nowMs()
    if (!(await db.inTransaction((tx) => begin(tx, org, begunMs)))) return
    const startMs = performance.now()
    try {
      await countExtensions(db, org, stopping.signal)
    } catch (error) {
      await db.inTransaction((tx) => noteCountingGivenUp(tx, org, begunMs))
      throw error
    }
    const tookMs = Math.ceil(performance.now() - startMs)
    await db.inTransaction((tx) => noteCountingEnded(tx, org, begunMs, tookMs))
  }

  const countOnce = (org: number) => {
    const known = running.get(org)
    if (known) return known
    const work = count(org)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'the extensions could not be counted')
      })
      .finally(() => running.delete(org))
    const begun = { work, startMs: performance.now() }
    running.set(org, begun)
    return begun
  }

  return {
    freshen: async (org) => {
      const known = await extensionCounting(db, org)
      const age = known?.countedMs == null ? Number.POSITIVE_INFINITY : clock.nowMs() - known.countedMs
      if (age >= 0 && age <= (known?.tookMs ?? 0) * restsPerCount) return
      const { work, startMs } = countOnce(org)
      // Only who looks as it begins waits: who looks later sees that it takes long.
      const leftMs = Math.max(0, startMs + waitMs - performance.now())
      let timer: NodeJS.Timeout | undefined
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, leftMs)
      })
      await Promise.race([work, enough])
      clearTimeout(timer)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([...running.values()].map(({ work }) => work))
    },
  }
}

/** Whether this process may count; false while another does. */
async function begin(
  tx: Parameters<typeof noteCountingBegun>[0],
  org: number,
  nowMs: number,
): Promise<boolean> {
  await tx.lock(`extension counts ${org}`)
  const known = await extensionCounting(tx, org)
  const unfinished = known && (known.countedMs ?? -1) < known.begunMs
  const patienceMs = Math.max(patienceMinimumMs, patience * (known?.tookMs ?? 0))
  // A beginning that lies far ahead was noted by a clock that has been set back since.
  if (known && unfinished && Math.abs(nowMs - known.begunMs) < patienceMs) return false
  await noteCountingBegun(tx, org, nowMs)
  return true
}
