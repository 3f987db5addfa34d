import { type Account, accounts } from '@muster/contract/account'
import { type Finding, findings } from '@muster/contract/finding'
import { claimDailyJob, finishDailyJob, releaseDailyJob, skipFirstDay } from '../../kernel/jobs/daily-jobs.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import {
  accountsNeverUsed,
  accountsUsedBefore,
  findingsOfType,
  silentBrowsers,
} from '../../kernel/store/due-records.ts'
import { peekRecords } from '../../kernel/store/peek.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { OrgTerms, TermsReader } from '../agents/org-terms.ts'
import { removeSilentBrowser, setInactive } from '../browsers/browser-retention.ts'
import { settleByTime, type TimeAct } from '../findings/time-findings.ts'
import { unusedThirdPartyApp } from '../findings/types/unused-third-party-app.ts'
import { dropRawEventsBefore, insertRawAct } from '../ingest/raw-events.service.ts'
import { deleteEventsBefore } from '../webhooks/outbox-upkeep.service.ts'

/** What the daily jobs need to know of the deployment. */
export interface DailyOptions {
  readonly db: Db
  readonly clock: Clock
  readonly termsOf: TermsReader
  readonly rawEventDays: number
  /** Ends the jobs between two transactions, when the server stops. */
  readonly signal?: AbortSignal
  /** Told when the store says that jobs were done on a day that is yet to come, which is not believed. */
  onStrayDay?(day: string): void
}

const daySeconds = 24 * 60 * 60
/** Browsers are active that were heard from within so many days, and removed after so many (domain contract, section 1). */
const activeDays = 30
const keptDays = 90
/** For so many days events are kept, as long as what became of their deliveries (events contract, section 1). */
const eventDays = 30

/** A job is left to the process that has begun it for so long. If two do it at the same time, that costs, and no more. */
const claimedMs = 60 * 60 * 1000

/** So many accounts are settled in one transaction. */
const accountsPerTurn = 50

const dayOf = (clock: Clock): number => Math.floor(clock.nowMs() / 1000 / daySeconds)

/**
 * Lets the jobs of a new store begin tomorrow: what was just imported may tell of times long past, and whoever moves in
 * sees first what came, and not what follows from its age.
 */
export const beginTomorrow = ({ db, clock }: DailyOptions): Promise<number> =>
  db.inTransaction((tx) => skipFirstDay(tx, Object.keys(jobs), dayOf(clock)))

/**
 * Does what is due by the passing of time, once a day for all processes that share the store: a job that another has
 * begun, or that was done today, is left, unless it was begun an hour ago and has not come to its end: its process was
 * killed. Each is done in small transactions, and requests run in between.
 *
 * @returns the names of the jobs that were done
 * @throws the reason of the signal, when that ends them: the job that ran is given back
 */
export async function runDailyJobs(options: DailyOptions): Promise<string[]> {
  const { db, clock } = options
  const day = dayOf(clock)
  const done: string[] = []
  let strayDay: number | undefined
  for (const [name, job] of Object.entries(jobs)) {
    options.signal?.throwIfAborted()
    const nowMs = clock.nowMs()
    const claim = { day, nowMs, untilMs: nowMs + claimedMs }
    const outcome = await db.inTransaction((tx) => claimDailyJob(tx, name, claim))
    if (!outcome.isClaimed) continue
    if (strayDay === undefined && outcome.strayDay !== undefined) {
      strayDay = outcome.strayDay
      options.onStrayDay?.(new Date(strayDay * daySeconds * 1000).toISOString().slice(0, 10))
    }
    try {
      await job(options, nowMs)
      await db.inTransaction((tx) => finishDailyJob(tx, name, day))
    } catch (error) {
      await db.inTransaction((tx) => releaseDailyJob(tx, name, day))
      throw error
    }
    done.push(name)
  }
  return done
}

type Job = (options: DailyOptions, nowMs: number) => Promise<void>

const jobs: Readonly<Record<string, Job>> = {
  browsers: async (options, nowMs) => {
    const nowSeconds = Math.floor(nowMs / 1000)
    for (const { no: org } of await listOrganizations(options.db)) {
      await forEachSilent(options, org, nowSeconds - keptDays * daySeconds, false)
      await forEachSilent(options, org, nowSeconds - activeDays * daySeconds, true)
    }
  },
  events: async ({ db, signal }, nowMs) => {
    const before = nowMs - eventDays * daySeconds * 1000
    for (const { no: org } of await listOrganizations(db))
      while (await db.inTransaction((tx) => deleteEventsBefore(tx, org, before))) {
        signal?.throwIfAborted()
        await yieldToEventLoop()
      }
  },
  findings: async (options, nowMs) => {
    for (const { no: org } of await listOrganizations(options.db)) {
      options.signal?.throwIfAborted()
      await settleFindings(options, org, nowMs)
    }
  },
  'raw events': async ({ db, rawEventDays }, nowMs) => {
    await db.inTransaction((tx) => dropRawEventsBefore(tx, nowMs - rawEventDays * daySeconds * 1000))
  },
}

async function forEachSilent(
  { db, signal }: DailyOptions,
  org: number,
  before: number,
  onlyActive: boolean,
): Promise<void> {
  const seen = new Set<string>()
  for (;;) {
    const ids = (await silentBrowsers(db, org, before, onlyActive)).filter((id) => !seen.has(id))
    for (const id of ids) {
      signal?.throwIfAborted()
      seen.add(id)
      await db.inTransaction(async (tx) => {
        if (onlyActive) await setInactive(tx, org, id, before)
        else await removeSilentBrowser(tx, org, id, before)
      })
    }
    if (ids.length === 0) return
  }
}

async function settleFindings(options: DailyOptions, org: number, nowMs: number): Promise<void> {
  const { db, termsOf } = options
  const terms = await termsOf(db, org)
  const nowSeconds = Math.floor(nowMs / 1000)
  const { unusedAppDays } = terms.controls.thresholds
  const unusedBefore = nowSeconds - unusedAppDays * daySeconds
  for await (const texts of findingsOfType(db, org, 'SHARED_ACCOUNT')) {
    await settleAll(options, org, accountsOfOpen(texts), terms, nowMs)
    await yieldToEventLoop()
  }
  // Only where the organization has set a longer time since they were opened.
  for await (const texts of findingsOfType(db, org, 'UNUSED_THIRD_PARTY_APP')) {
    const known = await peekRecords(db, accounts, org, 'id', accountsOfOpen(texts))
    const used = known.filter((account) => !unusedThirdPartyApp(account, nowSeconds, unusedAppDays).open)
    const ids = used.map(({ id }) => id)
    await settleAll(options, org, ids, terms, nowMs)
    await yieldToEventLoop()
  }
  for (const walk of [accountsUsedBefore, accountsNeverUsed]) {
    for await (const texts of walk(db, org, unusedBefore)) {
      const unused = texts.map(parseAccount).filter(({ loginMethods }) => loginMethods.oidcLogin !== null)
      await settleAll(options, org, await withoutOpenFinding(db, org, unused), terms, nowMs)
      await yieldToEventLoop()
    }
  }
}

const accountsOfOpen = (texts: readonly string[]): string[] =>
  texts
    .map((text) => JSON.parse(text) as Finding)
    .flatMap(({ state, accountId }) => (state === 'OPEN' && accountId !== null ? [accountId] : []))

const parseAccount = (text: string): Account => JSON.parse(text) as Account

async function withoutOpenFinding(db: Db, org: number, unused: readonly Account[]): Promise<string[]> {
  const ids = unused.map(({ id }) => id)
  const known = await peekRecords(db, findings, org, 'accountId', ids)
  const open = new Set(
    known
      .filter(({ type, state }) => type === 'UNUSED_THIRD_PARTY_APP' && state === 'OPEN')
      .map(({ accountId }) => accountId),
  )
  return ids.filter((id) => !open.has(id))
}

async function settleAll(
  { db, signal }: DailyOptions,
  org: number,
  accountIds: readonly string[],
  terms: OrgTerms,
  nowMs: number,
): Promise<void> {
  for (let from = 0; from < accountIds.length; from += accountsPerTurn) {
    signal?.throwIfAborted()
    const part = accountIds.slice(from, from + accountsPerTurn)
    await db.inTransaction(async (tx) => {
      const changed = await settleByTime(tx, org, part, terms, nowMs)
      if (changed.length === 0) return
      const act: TimeAct = { kind: 'TIME_PASSED', accountIds: changed }
      await insertRawAct(tx, org, { id: newId(nowMs), act, nowMs })
    })
  }
}
