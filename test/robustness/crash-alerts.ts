import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { detections } from '@muster/contract/records/detection'
import { systemClock, unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { deriveKeys } from '../../server/src/kernel/lib/secrets/secret.ts'
import { ensureDefaultOrganization } from '../../server/src/kernel/organizations/organizations.ts'
import { openMasterKey } from '../../server/src/kernel/store/lifecycle/master-key.ts'
import { openStore } from '../../server/src/kernel/store/lifecycle/open.ts'
import { insertRecords } from '../../server/src/kernel/store/records.ts'
import type { Db } from '../../server/src/kernel/store/sql.ts'
import { addAlertRule } from '../../server/src/modules/alerts/manage-alerts.ts'
import { allowsLoopback, integrationKey } from '../support/alert-world.ts'
import { aDetection } from '../support/fixtures.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type MusterProcess, startMuster } from '../support/muster-process.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

/** Result of killing a server while it writes and sends alerts. */
export interface AlertCrash {
  /** Rules whose message did not arrive, and those with more than one message. */
  lost: string[]
  doubled: string[]
  /** Number of requests that repeat a message, with the same body. */
  repeats: number
  altered: string[]
  /** E-mail addresses with several mails, and number of those without one that the store does not show as in doubt. */
  mailedTwice: string[]
  unmailed: number
}

const perKind = 12
/** Time that receivers take, long enough for every kill to interrupt some messages. */
const takingMs = 15

/**
 * Lets one detection become a message of many rules, and kills the server each time when further messages have arrived, the first
 * time before any.
 */
export async function alertCrash(databaseUrl: string | undefined, kills: number): Promise<AlertCrash> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-alert-crash-'))
  const mails = await startMailServer({ beforeTaking: () => wait(takingMs) })
  const receiver = await startReceiver((response) => {
    setTimeout(() => response.writeHead(202).end(), takingMs)
  })
  const settings = {
    MUSTER_DATA: folder,
    MUSTER_SMTP_URL: mails.url,
    MUSTER_WEBHOOKS_ALLOW_PRIVATE: '1',
    ...(databaseUrl === undefined ? {} : { MUSTER_DATABASE_URL: databaseUrl }),
  }
  const db = await openStore({ dataDir: folder, databaseUrl, connections: 2 }, unixSeconds(systemClock))
  let server: MusterProcess | undefined
  try {
    const { org, ids } = await addRules(db, folder, receiver.url)
    await addOne(db, org)
    server = await startMuster(settings)
    for (let kill = 0; kill < kills; kill += 1) {
      const arrived = receiver.requests.length
      // At first while messages are written, then while they are sent.
      if (kill === 0) await until('written messages', () => hasMessages(db))
      else await until('more messages', () => receiver.requests.length > arrived, 60_000)
      await server.kill()
      // Nobody is left to renew the leases.
      await db.inTransaction(async (tx) => {
        await tx.run('UPDATE webhook_deliveries SET lease = NULL, due_ms = 0 WHERE lease IS NOT NULL')
        await tx.run('UPDATE notices SET leased_until_ms = 0 WHERE lease IS NOT NULL')
      })
      server = await startMuster(settings)
    }
    await until('an end', async () => (await waiting(db)) === 0, 60_000)
    await server.stop()
    server = undefined
    const byRule = new Map<string, Set<string>>()
    const bodies = new Map<string, Set<string>>()
    for (const { path, body } of receiver.requests) {
      const { id, dedup_key: key } = JSON.parse(body) as { id?: string; dedup_key?: string }
      const message = id ?? key ?? ''
      byRule.set(path, (byRule.get(path) ?? new Set()).add(message))
      bodies.set(message, (bodies.get(message) ?? new Set()).add(body))
    }
    const addresses = mails.taken.map(({ to }) => to)
    const doubtful = await db.all("SELECT address FROM notices WHERE state = 'IN_DOUBT'")
    return {
      lost: ids.filter((path) => !byRule.has(path)),
      doubled: [...byRule].filter(([, messages]) => messages.size > 1).map(([path]) => path),
      repeats: receiver.requests.length - bodies.size,
      altered: [...bodies].filter(([, texts]) => texts.size > 1).map(([id]) => id),
      mailedTwice: addresses.filter((to, at) => addresses.indexOf(to) !== at),
      unmailed: perKind - new Set(addresses).size - doubtful.length,
    }
  } finally {
    await server?.kill()
    await db.close()
    await receiver.close()
    await mails.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adds rules of three kinds. @returns the paths to which those with a URL send */
async function addRules(db: Db, dataDir: string, url: string): Promise<{ org: number; ids: string[] }> {
  const nowMs = systemClock.nowMs()
  const { no: org } = await db.inTransaction((tx) =>
    ensureDefaultOrganization(tx, newId(nowMs), unixSeconds(systemClock)),
  )
  const key = deriveKeys(await openMasterKey(db, { dataDir, secretKey: undefined })).webhookSecrets
  const context = { db, clock: systemClock, key, targetPolicy: allowsLoopback }
  const actor = { source: 'CLI', user: 'test' } as const
  const ids: string[] = []
  for (let number = 0; number < perKind; number += 1) {
    const common = { name: `Rule ${number}`, triggers: ['DETECTION' as const] }
    const addresses = [`person-${number}@example.com`]
    await addAlertRule(context, org, { ...common, destination: 'EMAIL', addresses }, actor)
    for (const destination of ['WEBHOOK', 'PAGERDUTY'] as const) {
      const path = `/${destination}/${number}`
      const target = { url: new URL(path, url).href, key: integrationKey }
      await addAlertRule(context, org, { ...common, destination, target }, actor)
      ids.push(path)
    }
  }
  return { org, ids }
}

/** Adds a detection. */
const addOne = (db: Db, org: number): Promise<unknown> =>
  db.inTransaction((tx) => {
    const at = unixSeconds(systemClock)
    const record = aDetection({ archived: false, creationTimestamp: at, lastActivityTimestamp: at })
    const row = { id: record.id, record, internal: {}, hidden: false, createdAtSeconds: at }
    return insertRecords(tx, detections, org, [row])
  })

const hasMessages = async (db: Db): Promise<boolean> =>
  (await db.get("SELECT 1 AS found FROM events WHERE object = 'ALERT' LIMIT 1")) !== undefined

async function waiting(db: Db): Promise<number> {
  const row = await db.get<{ number: number }>(
    `SELECT (SELECT count(*) FROM alert_items) + (SELECT count(*) FROM webhook_deliveries WHERE state = 'PENDING')
       + (SELECT count(*) FROM notices WHERE state IN ('PENDING', 'SENDING'))
       + CASE WHEN EXISTS (SELECT 1 FROM events WHERE object = 'ALERT') THEN 0 ELSE 1 END AS number`,
  )
  return Number(row?.number ?? 0)
}
