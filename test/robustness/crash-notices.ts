import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock, unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { ensureDefaultOrganization } from '../../server/src/kernel/organizations/organizations.ts'
import { openStore } from '../../server/src/kernel/store/lifecycle/open.ts'
import type { Db } from '../../server/src/kernel/store/sql.ts'
import { insertApiKey } from '../../server/src/modules/api-keys/api-keys.service.ts'
import { countNotices, listNoticeRows } from '../../server/src/modules/notices/notices.service.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { type MusterProcess, runMuster, startMuster } from '../support/muster-process.ts'
import { until } from '../support/until.ts'

/** Result of killing servers while they send notices. */
export interface NoticeCrash {
  kills: number
  /** Number of holders with exactly one mail, and the holders with several. */
  once: number
  doubled: string[]
  /** Holders without a mail although the store says that it was sent. */
  lost: string[]
  /** Number of notices in doubt according to the store, and how many of them have arrived. */
  inDoubt: number
  inDoubtArrived: number
}

/** Parameters of the test. */
export interface NoticeCrashPlan {
  readonly databaseUrl: string | undefined
  /** Number of concurrent servers. */
  readonly processes: number
  readonly holders: number
  /** Delay of each kill after sending starts, in milliseconds. */
  readonly killsAfterMs: readonly number[]
}

/** Time that the mail server takes per message, long enough for every kill to interrupt several. */
const takingMs = 40

/** Announces a date, repeatedly kills one of the sending servers, and finally all of them. */
export async function noticeCrash(plan: NoticeCrashPlan): Promise<NoticeCrash> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-notice-crash-'))
  const mails = await startMailServer({ beforeTaking: () => wait(takingMs) })
  const { databaseUrl } = plan
  const settings = {
    MUSTER_DATA: folder,
    MUSTER_SMTP_URL: mails.url,
    ...(databaseUrl === undefined ? {} : { MUSTER_DATABASE_URL: databaseUrl }),
  }
  const running: MusterProcess[] = []
  const start = async () => running.push(await startMuster(settings))
  const db = await openStore({ dataDir: folder, databaseUrl, connections: 2 }, unixSeconds(systemClock))
  let kills = 0
  try {
    await addHolders(db, plan.holders)
    for (let count = 0; count < plan.processes; count += 1) await start()
    await runMuster(['api', 'deprecate', 'v1', '--on', '2099-01-01'], settings)
    for (const afterMs of plan.killsAfterMs) {
      const arrived = mails.taken.length
      await until(
        'more mails, or an end',
        async () => mails.taken.length > arrived || (await waiting(db)) === 0,
      )
      await wait(afterMs)
      await running.shift()?.kill()
      kills += 1
      await start()
    }
    for (const server of running.splice(0)) await server.kill()
    // Expire the leases: no server is left to renew them.
    await db.inTransaction((tx) => tx.run('UPDATE notices SET leased_until_ms = 0 WHERE lease IS NOT NULL'))
    await start()
    await until('an end', async () => (await waiting(db)) === 0, 120_000)
    return { kills, ...(await evaluated(db, mails.taken)) }
  } finally {
    for (const server of running) await server.kill()
    await db.close()
    await mails.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const addressOf = (number: number): string => `holder-${number}@example.com`

async function addHolders(db: Db, holders: number): Promise<void> {
  const creationTimestamp = unixSeconds(systemClock)
  await db.inTransaction(async (tx) => {
    const { no } = await ensureDefaultOrganization(tx, newId(systemClock.nowMs()), creationTimestamp)
    for (let number = 0; number < holders; number += 1) {
      const id = newId(systemClock.nowMs())
      await insertApiKey(tx, {
        org: no,
        id,
        name: 'siem',
        holder: addressOf(number),
        permission: 'READ_ONLY',
        start: 'mstr_test',
        hash: id,
        creationTimestamp,
        expiryTimestamp: null,
        lastUsedTimestamp: null,
        revokedTimestamp: null,
        replacedBy: null,
      })
    }
  })
}

async function waiting(db: Db): Promise<number> {
  const counts = await countNotices(db, {})
  return (counts.PENDING ?? 0) + (counts.SENDING ?? 0)
}

async function evaluated(db: Db, taken: readonly ReceivedMail[]): Promise<Omit<NoticeCrash, 'kills'>> {
  const times = new Map<string, number>()
  for (const { to } of taken) times.set(to, (times.get(to) ?? 0) + 1)
  const rows = await listNoticeRows(db, 1, 10_000)
  const doubtful = rows.filter(({ state }) => state === 'IN_DOUBT').map(({ address }) => address)
  const sent = rows.filter(({ state }) => state === 'SENT').map(({ address }) => address)
  return {
    once: [...times.values()].filter((number) => number === 1).length,
    doubled: [...times].filter(([, number]) => number > 1).map(([address]) => address),
    lost: sent.filter((address) => !times.has(address)),
    inDoubt: doubtful.length,
    inDoubtArrived: doubtful.filter((address) => times.has(address)).length,
  }
}
