import type { Registry } from 'prom-client'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { withTimeout } from '../../kernel/lib/with-timeout.ts'
import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import type { StoreLocation } from '../../kernel/store/lifecycle/open.ts'
import { readStoreUsage } from '../../kernel/store/lifecycle/store-usage.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { countOnlineBrowsers } from '../browsers/online-browsers.service.ts'
import { scrapedGauges } from './scraped-gauges.ts'

export interface ServerGaugeOptions {
  readonly db: Db
  readonly clock: Clock
  readonly location: StoreLocation
  /** Interval at which browsers report. */
  readonly heartbeatSeconds: number
  /** Returns the end of the validity of the TLS certificate; undefined over plain HTTP. */
  certificateExpires(): Date | undefined
}

/** Heartbeats after which a browser without a report is offline. The minimum allows for pauses of a sleeping computer. */
const heartbeatsOnline = 3
const onlineSecondsMinimum = 180

/** Shorter than the time limit of gauges, so that an unavailable database is reported as such. */
const pingTimeoutMs = 1500

/** Registers the gauges of database, browsers and certificate, which are read on every scrape. */
export function serverGauges(registry: Registry, options: ServerGaugeOptions): void {
  const { db, clock, location, heartbeatSeconds } = options
  scrapedGauges(
    registry,
    {
      muster_database_up: { help: '1 if the database answers, else 0.' },
      muster_database_latency_seconds: { help: 'Duration of a minimal query at the time of the scrape.' },
    },
    async () => {
      const startMs = performance.now()
      const row = await withTimeout(db.get('SELECT 1 AS one'), pingTimeoutMs)
      if (row === undefined) return { muster_database_up: 0 }
      return {
        muster_database_up: 1,
        muster_database_latency_seconds: (performance.now() - startMs) / 1000,
      }
    },
  )
  scrapedGauges(
    registry,
    {
      muster_database_size_bytes: { help: 'Size of the database.' },
      muster_database_connections: {
        help: 'Connections of all Muster processes to PostgreSQL, by state.',
        labelNames: ['state'],
      },
    },
    async () => {
      const { sizeBytes, connections } = await readStoreUsage(db.slow, location)
      return {
        muster_database_size_bytes: sizeBytes,
        muster_database_connections: connections.map(({ state, count }) => ({
          labels: { state },
          value: count,
        })),
      }
    },
  )
  scrapedGauges(
    registry,
    {
      muster_tls_certificate_expiry_timestamp_seconds: {
        help: 'End of the validity of the TLS certificate that is served.',
      },
    },
    async () => {
      const expires = options.certificateExpires()
      return expires === undefined
        ? {}
        : { muster_tls_certificate_expiry_timestamp_seconds: Math.floor(expires.getTime() / 1000) }
    },
  )
  scrapedGauges(
    registry,
    { muster_browsers_online: { help: 'Browsers that reported within the last three heartbeats.' } },
    async () => {
      const withinSeconds = Math.max(onlineSecondsMinimum, heartbeatsOnline * heartbeatSeconds)
      let online = 0
      for (const { no } of await listOrganizations(db.slow))
        online += await countOnlineBrowsers(db.slow, no, unixSeconds(clock) - withinSeconds)
      return { muster_browsers_online: online }
    },
  )
}
