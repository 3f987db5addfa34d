import { browsers } from '@muster/contract/records/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventMaker, report } from '../../../../test/support/agent-events.ts'
import { addLicensed, enrollBrowser } from '../../../../test/support/agents.ts'
import { consoleBrowser } from '../../../../test/support/console-browser.ts'
import { aBrowser, put } from '../../../../test/support/fixtures.ts'
import { type Harness, startHarness } from '../../../../test/support/harness.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { repeat } from '../../kernel/jobs/background-jobs.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { version } from '../../kernel/lib/version.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'
import { measureTransactions } from './measure-transactions.ts'
import { makeMetrics, type ServerMetrics } from './metrics.ts'
import { scrapedGauges } from './scraped-gauges.ts'
import { serverGauges } from './server-gauges.ts'

/** Returns the samples of a metric, without its name. */
const samplesOf = async ({ registry }: Pick<ServerMetrics, 'registry'>, name: string): Promise<string[]> =>
  (await registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => line.slice(name.length).trim())

test('the metrics have the version as a label of muster_build_info', async () => {
  expect(await samplesOf(makeMetrics(), 'muster_build_info')).toEqual([`{version="${version}"} 1`])
})

test('a job has its last success, its last duration and its failures', async () => {
  const metrics = makeMetrics()
  let shouldFail = false
  const run = async (): Promise<void> => {
    if (shouldFail) throw new Error('failed')
  }
  const runOnce = async (): Promise<void> => {
    const job = repeat({ name: 'tidy', everyMs: 1e6, run }, { warn: () => undefined }, metrics.observeJob)
    await job.idle
    await job.stop()
  }
  await runOnce()
  const lastSuccess = 'muster_job_last_success_timestamp_seconds'
  const succeeded = await samplesOf(metrics, lastSuccess)
  expect(succeeded).toEqual([expect.stringMatching(/^\{name="tidy"\} \d{10}$/)])
  expect(await samplesOf(metrics, 'muster_job_failures_total')).toEqual(['{name="tidy"} 0'])
  shouldFail = true
  await runOnce()
  expect(await samplesOf(metrics, lastSuccess)).toEqual(succeeded)
  expect(await samplesOf(metrics, 'muster_job_failures_total')).toEqual(['{name="tidy"} 1'])
  expect(await samplesOf(metrics, 'muster_job_last_duration_seconds')).toHaveLength(1)
})

test('gauges of a scrape share one reading, and are omitted when it fails', async () => {
  const metrics = makeMetrics()
  let readings = 0
  const texts = { muster_one: { help: 'One.' }, muster_many: { help: 'Many.', labelNames: ['of'] } }
  scrapedGauges(metrics.registry, texts, async () => {
    readings += 1
    if (readings > 2) throw new Error('unavailable')
    return { muster_one: 0, muster_many: [{ labels: { of: `${readings}` }, value: 5 }] }
  })
  const read = async () => {
    const text = await metrics.registry.metrics()
    return text.split('\n').filter((line) => /^muster_(?:one|many)/.test(line))
  }
  expect(await read()).toEqual(['muster_one 0', 'muster_many{of="1"} 5'])
  expect(await read()).toEqual(['muster_one 0', 'muster_many{of="2"} 5'])
  expect(await read()).toEqual([])
  expect(readings).toBe(3)
})

for (const store of STORES) {
  describe(store, () => {
    const metrics = makeMetrics()
    let h: Harness
    beforeAll(async () => {
      const { observe, observeIngest, observeIngestLags, observeFailedSignIn: onFailedSignIn } = metrics
      h = await startHarness(store, {
        app: { observe, observeIngest, observeIngestLags, console: { onFailedSignIn } },
        storeSeen: (db) => measureTransactions(db, metrics),
      })
    })
    afterAll(() => h.close())

    test('events are counted by outcome, and accepted ones with their lag', async () => {
      const caller = await h.addCaller()
      const { credential = '' } = await enrollBrowser(h, caller, (await addLicensed(h, caller)).id)
      const make = eventMaker(h.clock)
      const timestamp = unixSeconds(h.clock) - 600
      const [early, late] = [make.visit({ timestamp }), make.visit({ host: 'zapier.com' })]
      await report(h, credential, [early, late, early, { kind: 'NOTHING' }])
      await report(h, credential, [late])
      expect(await samplesOf(metrics, 'muster_ingest_events_total')).toEqual([
        '{outcome="accepted"} 2',
        '{outcome="duplicate"} 2',
        '{outcome="rejected"} 1',
      ])
      expect(await samplesOf(metrics, 'muster_ingest_lag_seconds_count')).toEqual(['2'])
      const buckets = await samplesOf(metrics, 'muster_ingest_lag_seconds_bucket')
      expect(buckets).toEqual(expect.arrayContaining(['{le="5"} 1', '{le="300"} 1', '{le="900"} 2']))
    })

    test('failed sign-ins are counted by method', async () => {
      await consoleBrowser(h).call('POST', 'sign-in', { email: 'nobody@example.org', password: 'wrong' })
      expect(await samplesOf(metrics, 'muster_sign_in_failures_total')).toEqual(['{method="PASSWORD"} 1'])
    })

    test('transactions are measured, and counted if the database was unavailable', async () => {
      const name = 'muster_database_transaction_duration_seconds_count'
      const before = Number((await samplesOf(metrics, name))[0])
      const db = measureTransactions(h.db, metrics)
      await db.inTransaction((tx) => tx.get('SELECT 1 AS one'))
      for (const error of [new Error('a mistake'), new StoreUnavailableError('the disk is full')])
        await expect(db.inTransaction(() => Promise.reject(error))).rejects.toThrow(error)
      expect(await samplesOf(metrics, name)).toEqual([`${before + 3}`])
      expect(await samplesOf(metrics, 'muster_database_failures_total')).toEqual(['1'])
      expect(await samplesOf(metrics, 'muster_database_transactions_in_progress')).toEqual(['0'])
    })

    test('database, browsers and certificate are read on every scrape', async () => {
      const org = await h.addOrganization('online')
      const now = unixSeconds(h.clock)
      const { registry } = makeMetrics()
      serverGauges(registry, {
        db: h.db,
        clock: h.clock,
        location: { dataDir: h.dataDir, databaseUrl: store === 'sqlite' ? undefined : 'postgres://' },
        heartbeatSeconds: 300,
        certificateExpires: () => new Date(1_800_000_000_000),
      })
      const online = async () => Number((await samplesOf({ registry }, 'muster_browsers_online'))[0])
      const before = await online()
      const lastOnline = [now, now - 899, now - 1000]
      await put(
        h,
        org,
        browsers,
        lastOnline.map((lastOnlineTimestamp) => aBrowser({ lastOnlineTimestamp })),
      )
      expect(await online()).toBe(before + 2)
      expect(await samplesOf({ registry }, 'muster_database_up')).toEqual(['1'])
      expect(Number((await samplesOf({ registry }, 'muster_database_size_bytes'))[0])).toBeGreaterThan(
        100_000,
      )
      expect(Number((await samplesOf({ registry }, 'muster_database_latency_seconds'))[0])).toBeLessThan(1)
      expect(await samplesOf({ registry }, 'muster_tls_certificate_expiry_timestamp_seconds')).toEqual([
        '1800000000',
      ])
      const connections = await samplesOf({ registry }, 'muster_database_connections')
      expect(connections.some((line) => line.startsWith('{state="idle"}'))).toBe(store === 'postgres')
    })
  })
}

test('an unavailable database is reported as down', async () => {
  const h = await startHarness('sqlite')
  const { registry } = makeMetrics()
  const location = { dataDir: h.dataDir }
  const certificateExpires = () => undefined
  serverGauges(registry, { db: h.db, clock: h.clock, location, heartbeatSeconds: 300, certificateExpires })
  await h.close()
  expect(await samplesOf({ registry }, 'muster_database_up')).toEqual(['0'])
  expect(await samplesOf({ registry }, 'muster_database_latency_seconds')).toEqual([])
})
