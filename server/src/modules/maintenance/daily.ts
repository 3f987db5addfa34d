import { type Account, accounts } from '@muster/contract/records/account'
import { type Finding, findings } from '@muster/contract/records/finding'
import { claimDailyJob, finishDailyJob, releaseDailyJob, skipFirstDay } from '../../kernel/jobs/daily-jobs.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import {
  accountsNeverUsed,
  accountsUsedBefore,
  findingsOfType,
  inactiveBrowsers,
} from '../../kernel/store/maintenance-queries.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { OrgSettings, OrgSettingsReader } from '../agents/org-settings.ts'
import { removeInactiveBrowser, setInactive } from '../browsers/browser-retention.ts'
import { evaluateTimeFindings, type TimePassed } from '../findings/time-findings.ts'
import { isUnusedThirdPartyApp } from '../findings/types/unused-third-party-app.ts'
import { dropRawEventsBefore, insertRawOperation } from '../ingest/raw-events.service.ts'
import { markPassedTime } from '../risk/daily-risk.service.ts'
import { keepDailyFigures } from '../trends/daily-figures.service.ts'
import { queueMonthlyReports } from '../trends/report-mail.service.ts'
import { deleteEventsBefore } from '../webhooks/purge-events.service.ts'
import {
  daySeconds,
  defaultRetention,
  deleteUnusedAccounts,
  eventDays,
  type InventoryRetention,
} from './retention.ts'

export interface DailyOptions {
  readonly db: Db
  readonly clock: Clock
  readonly settingsOf: OrgSettingsReader
  readonly rawEventDays: number
  /** Returns the retention of an organization. Default: accounts are kept, browsers are removed after 90 days. */
  readonly retentionOf?: (org: number) => InventoryRetention
  /** Called after a job has deleted records by their age. */
  onRemoved?(what: 'accounts' | 'browsers', count: number): void
  /** Aborts the jobs between two transactions. */
  readonly signal?: AbortSignal
  /** Called once when the store has jobs recorded as done on a future day, which is ignored. */
  onFutureDay?(day: string): void
}

/** Days without contact after which a browser is inactive (domain contract, section 1). */
const activeDays = 30

/** Time after which a job of a crashed process is run by another. Two concurrent runs are harmless. */
const claimMs = 60 * 60 * 1000

const accountsPerTransaction = 50

const dayOf = (clock: Clock): number => Math.floor(clock.nowMs() / 1000 / daySeconds)

/**
 * Postpones the jobs of a new store to the next day. Imported records can be old, and an administrator should first see
 * them unchanged.
 */
export const skipDailyJobsToday = ({ db, clock }: DailyOptions): Promise<number> =>
  db.inTransaction((tx) => skipFirstDay(tx, Object.keys(jobs), dayOf(clock)))

/**
 * Runs the jobs that are due, once a day across all processes of the store. Skips a job that is done or was started by
 * another process within the last hour. Jobs use small transactions, to let requests run in between.
 *
 * @returns the names of the completed jobs
 * @throws the abort reason of the signal; the interrupted job is due again
 */
export async function runDailyJobs(options: DailyOptions): Promise<string[]> {
  const { db, clock } = options
  const day = dayOf(clock)
  const done: string[] = []
  let futureDay: number | undefined
  for (const [name, job] of Object.entries(jobs)) {
    options.signal?.throwIfAborted()
    const nowMs = clock.nowMs()
    const claim = { day, nowMs, untilMs: nowMs + claimMs }
    const outcome = await db.inTransaction((tx) => claimDailyJob(tx, name, claim))
    if (!outcome.isClaimed) continue
    if (futureDay === undefined && outcome.strayDay !== undefined) {
      futureDay = outcome.strayDay
      options.onFutureDay?.(new Date(futureDay * daySeconds * 1000).toISOString().slice(0, 10))
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
  // First, because the others change what was so at the end of yesterday.
  figures: async ({ db, signal }, nowMs) => {
    for (const { no: org } of await listOrganizations(db))
      await keepDailyFigures(db, org, Math.floor(nowMs / 1000), signal)
  },
  accounts: async ({ db, signal, retentionOf = () => defaultRetention, onRemoved }, nowMs) => {
    let deleted = 0
    for (const { no: org } of await listOrganizations(db)) {
      const days = retentionOf(org).unusedAccountDays
      if (days > 0) deleted += await deleteUnusedAccounts(db, org, { days, nowMs, signal })
    }
    if (deleted > 0) onRemoved?.('accounts', deleted)
  },
  browsers: async (options, nowMs) => {
    const nowSeconds = Math.floor(nowMs / 1000)
    const { retentionOf = () => defaultRetention } = options
    let removed = 0
    for (const { no: org } of await listOrganizations(options.db)) {
      const { silentBrowserDays } = retentionOf(org)
      removed += await updateSilentBrowsers(options, org, nowSeconds - silentBrowserDays * daySeconds, false)
      await updateSilentBrowsers(options, org, nowSeconds - activeDays * daySeconds, true)
    }
    if (removed > 0) options.onRemoved?.('browsers', removed)
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
      await updateFindings(options, org, nowMs)
    }
  },
  priorities: ({ db, signal }, nowMs) => markPassedTime(db, Math.floor(nowMs / 1000), signal),
  reports: async ({ db, signal }, nowMs) => {
    for (const { no: org } of await listOrganizations(db)) {
      signal?.throwIfAborted()
      await queueMonthlyReports(db, org, nowMs)
    }
  },
  'raw events': async ({ db, rawEventDays }, nowMs) => {
    await db.inTransaction((tx) => dropRawEventsBefore(tx, nowMs - rawEventDays * daySeconds * 1000))
  },
}

/**
 * Removes browsers that were last seen before a time, or with `onlyActive` marks them as inactive.
 *
 * @returns the number of removed browsers
 */
async function updateSilentBrowsers(
  { db, signal }: DailyOptions,
  org: number,
  before: number,
  onlyActive: boolean,
): Promise<number> {
  const seen = new Set<string>()
  let removed = 0
  for (;;) {
    const ids = (await inactiveBrowsers(db, org, before, onlyActive)).filter((id) => !seen.has(id))
    for (const id of ids) {
      signal?.throwIfAborted()
      seen.add(id)
      await db.inTransaction(async (tx) => {
        if (onlyActive) await setInactive(tx, org, id, before)
        else if (await removeInactiveBrowser(tx, org, id, before)) removed += 1
      })
    }
    if (ids.length === 0) return removed
  }
}

/** Opens and resolves findings that depend on the passage of time. */
async function updateFindings(options: DailyOptions, org: number, nowMs: number): Promise<void> {
  const { db, settingsOf } = options
  const terms = await settingsOf(db, org)
  const nowSeconds = Math.floor(nowMs / 1000)
  const { thresholds } = terms.controls
  const unusedBefore = nowSeconds - thresholds.unusedAppDays * daySeconds
  for await (const texts of findingsOfType(db, org, 'SHARED_ACCOUNT')) {
    await updateAccounts(options, org, openAccountIds(texts), terms, nowMs)
    await yieldToEventLoop()
  }
  // Resolves findings after the organization has set a longer threshold.
  for await (const texts of findingsOfType(db, org, 'UNUSED_THIRD_PARTY_APP')) {
    const known = await findRecords(db, accounts, org, 'id', openAccountIds(texts))
    const used = known.filter((account) => !isUnusedThirdPartyApp({ account, nowSeconds, thresholds }))
    const ids = used.map(({ id }) => id)
    await updateAccounts(options, org, ids, terms, nowMs)
    await yieldToEventLoop()
  }
  for (const listAccounts of [accountsUsedBefore, accountsNeverUsed]) {
    for await (const texts of listAccounts(db, org, unusedBefore)) {
      const unused = texts.map(parseAccount).filter(({ loginMethods }) => loginMethods.oidcLogin !== null)
      await updateAccounts(options, org, await withoutOpenFinding(db, org, unused), terms, nowMs)
      await yieldToEventLoop()
    }
  }
}

const openAccountIds = (texts: readonly string[]): string[] =>
  texts
    .map((text) => JSON.parse(text) as Finding)
    .flatMap(({ state, accountId }) => (state === 'OPEN' && accountId !== null ? [accountId] : []))

const parseAccount = (text: string): Account => JSON.parse(text) as Account

async function withoutOpenFinding(db: Db, org: number, unused: readonly Account[]): Promise<string[]> {
  const ids = unused.map(({ id }) => id)
  const known = await findRecords(db, findings, org, 'accountId', ids)
  const open = new Set(
    known
      .filter(({ type, state }) => type === 'UNUSED_THIRD_PARTY_APP' && state === 'OPEN')
      .map(({ accountId }) => accountId),
  )
  return ids.filter((id) => !open.has(id))
}

async function updateAccounts(
  { db, signal }: DailyOptions,
  org: number,
  accountIds: readonly string[],
  terms: OrgSettings,
  nowMs: number,
): Promise<void> {
  for (let from = 0; from < accountIds.length; from += accountsPerTransaction) {
    signal?.throwIfAborted()
    const chunk = accountIds.slice(from, from + accountsPerTransaction)
    await db.inTransaction(async (tx) => {
      const changed = await evaluateTimeFindings(tx, org, chunk, terms, nowMs)
      if (changed.length === 0) return
      const operation: TimePassed = { kind: 'TIME_PASSED', accountIds: changed }
      await insertRawOperation(tx, org, { id: newId(nowMs), operation, nowMs })
    })
  }
}
