import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Config, tracingSettings } from '../kernel/config/config.ts'
import { listenPlan } from '../kernel/http/listen-plan.ts'
import { memoryRateLimiter, type RateLimiter } from '../kernel/http/rate-limit/rate-limit.ts'
import type { RedisRateLimiterOptions } from '../kernel/http/rate-limit/rate-limit-redis.ts'
import { loadOrCreateCertificate, publicKeyPin } from '../kernel/http/tls.ts'
import { type BackgroundJob, jobSet } from '../kernel/jobs/background-jobs.ts'
import { systemClock, unixSeconds } from '../kernel/lib/clock.ts'
import { originAt } from '../kernel/lib/net/origin-at.ts'
import { newId } from '../kernel/lib/secrets/id.ts'
import { deriveKeys } from '../kernel/lib/secrets/secret.ts'
import type { Tracing } from '../kernel/lib/tracing.ts'
import { ensureDefaultOrganization } from '../kernel/organizations/organizations.ts'
import { openMasterKey } from '../kernel/store/lifecycle/master-key.ts'
import { openStore } from '../kernel/store/lifecycle/open.ts'
import { lockForServer } from '../kernel/store/lifecycle/server-lock.ts'
import type { WriterWait } from '../kernel/store/lifecycle/wait-for-writer.ts'
import type { Db } from '../kernel/store/sql.ts'
import { createSetupLink } from '../modules/administrators/console-links.ts'
import { orgSettingsReader } from '../modules/agents/org-settings.ts'
import { alertRetryJob, alertsJob, silentAgentsJob } from '../modules/alerts/alerts-job.ts'
import { alertSender } from '../modules/alerts/send-alert.ts'
import { expiredKeysJob } from '../modules/api-keys/expired-keys-job.ts'
import {
  type BackupPlan,
  backupGauges,
  backupJob,
  prepareBackupFolder,
} from '../modules/backup/scheduled-backups.ts'
import { rewriteDetectionLinks } from '../modules/detections/detection-links.service.ts'
import { incidentsJob } from '../modules/incidents/incidents-job.ts'
import { cleanupJob } from '../modules/maintenance/cleanup-job.ts'
import { dailyJob } from '../modules/maintenance/daily-job.ts'
import { facetCountsJob } from '../modules/maintenance/facet-counts-job.ts'
import { measureTransactions } from '../modules/metrics/measure-transactions.ts'
import { makeMetrics } from '../modules/metrics/metrics.ts'
import { serveMetrics } from '../modules/metrics/serve-metrics.ts'
import { serverGauges } from '../modules/metrics/server-gauges.ts'
import { backgroundTimeouts } from '../modules/notices/mail.ts'
import { mailersOf } from '../modules/notices/mailers.ts'
import { noticeUpkeepJob, startNoticeSender } from '../modules/notices/notice-sender.ts'
import { queueWebhookDisabledNotices } from '../modules/notices/queue-notices.ts'
import { riskJob } from '../modules/risk/risk-job.ts'
import { settingsWatch } from '../modules/settings/settings-watch.ts'
import { followStreams } from '../modules/streams/follow-streams.ts'
import { traceTransactions } from '../modules/tracing/trace-transactions.ts'
import { addressGuard } from '../modules/webhooks/delivery/address-guard.ts'
import { startDeliverer } from '../modules/webhooks/delivery/deliverer.ts'
import { hostResolver } from '../modules/webhooks/delivery/resolve-host.ts'
import { webhookMetrics } from '../modules/webhooks/delivery/webhook-metrics.ts'
import { senderOptions, webhookSender } from '../modules/webhooks/delivery/webhook-sender.ts'
import { buildApp } from './app.ts'
import { certificateWatch, servedCertificate } from './served-certificate.ts'
import { serverLog } from './server-log.ts'

/** Running server. */
export interface RunningServer {
  /** URL: `https://127.0.0.1:8443`. */
  address: string
  /** True if there is no API key yet. */
  lacksKey: boolean
  /** Reason why the self-signed certificate was replaced; undefined if it was not. */
  replacedBecause: string | undefined
  /** Link for the first administrator of the console; undefined if there is one. */
  setupLink: string | undefined
  /**
   * Announces the shutdown to load balancers and clients: `/readyz` returns 503, and every response closes its connection.
   * Requests and new connections are still served.
   */
  drain(): void
  /** Stops accepting requests, finishes running ones, and closes the store. */
  close(): Promise<void>
}

/**
 * Starts a server.
 *
 * @param writerWait controls the wait while a large import uses the embedded store exclusively
 * @throws ConfigError for invalid settings, StoreUnavailableError if the store is unavailable
 */
export async function startServer(config: Config, writerWait?: WriterWait): Promise<RunningServer> {
  const clock = systemClock
  const scheme = listenPlan(config)
  const log = serverLog(config.logLevel)
  const metrics = config.metricsPort > 0 ? makeMetrics() : undefined
  const jobs = jobSet(log, metrics?.observeJob)
  const opened: (() => Promise<void> | void)[] = []
  let isDraining = false
  const drain = (): void => {
    isDraining = true
  }
  /** Stops all jobs, then closes everything that was opened, in reverse order. */
  const close = async (): Promise<void> => {
    drain()
    await jobs.stop()
    for (const end of opened.splice(0).reverse()) await end()
  }
  let reload = (): void => undefined
  const onHangup = () => reload()
  process.on('SIGHUP', onHangup)
  opened.push(() => void process.off('SIGHUP', onHangup))
  try {
    if (config.databaseUrl === undefined) opened.push(lockForServer(config.data))
    const location = { dataDir: config.data, databaseUrl: config.databaseUrl }
    const store = await openStore({ ...location, writerWait }, unixSeconds(clock))
    opened.push(() => store.close())
    const measured = metrics ? measureTransactions(store, metrics) : store
    const tracing = await configuredTracing()
    opened.push(() => tracing?.close())
    const db = tracing ? traceTransactions(measured, tracing) : measured
    const webhooks = senderOptions(config)
    const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
    const keys = deriveKeys(master)
    const nowMs = clock.nowMs()
    const organization = await db.inTransaction((tx) =>
      ensureDefaultOrganization(tx, newId(nowMs), unixSeconds(clock)),
    )
    const settings = await settingsWatch({ db, config, key: keys.consoleSecrets, log })
    jobs.add(settings)
    const resolver = hostResolver()
    opened.push(() => resolver.close())
    const guard = addressGuard(webhooks, resolver)
    const streams = await followStreams({
      db,
      clock,
      log,
      settings,
      hostname: hostname(),
      holder: newId(nowMs),
      registry: metrics?.registry,
      guard,
    })
    jobs.add(streams)
    const plan = backupPlan(config)
    if (plan) prepareBackupFolder(plan)
    const lacksKey = (await db.get('SELECT 1 AS one FROM api_keys LIMIT 1')) === undefined
    const rateLimit = { sustained: config.rateLimitSustained, burst: config.rateLimitBurst }
    const memory = memoryRateLimiter({ ...rateLimit, clock })
    const rateLimiter = config.redisUrl
      ? await sharedRateLimiter({ ...rateLimit, url: config.redisUrl, fallback: memory, log })
      : memory
    opened.push(() => rateLimiter.close())
    const tls = scheme === 'https' ? await servedCertificate(() => certificate(config), log) : undefined
    const app = await buildApp({
      db,
      keys,
      clock,
      log,
      rateLimiter,
      rateLimit,
      publicUrl: config.publicUrl,
      recordsMember: config.recordsMember,
      enrollmentLinkDays: config.enrollmentLinkDays,
      mcpAllowWrites: config.mcpAllowWrites,
      dataDir: config.data,
      rangeUrl: config.rangeUrl,
      agentHeartbeatSeconds: config.agentHeartbeatSeconds,
      rawEventDays: config.rawEventDays,
      settings,
      console: {
        webhooks,
        onFailedSignIn: metrics?.observeFailedSignIn,
        certificatePin: () => (tls?.current().selfSigned ? publicKeyPin(tls.current()) : undefined),
      },
      trustProxy: config.trustProxy,
      tls: tls?.current(),
      isHstsWanted: () => tls?.current().selfSigned === false,
      isDraining: () => isDraining,
      securityContact: config.securityContact,
      logRequests: config.logRequests,
      observe: metrics?.observe,
      tracing,
      observeIngest: metrics?.observeIngest,
      observeIngestLags: metrics?.observeIngestLags,
    })
    opened.push(() => closeHttp(app))
    const { server } = app
    if (tls && server instanceof TlsServer) {
      reload = () => void tls.reload(server, 'SIGHUP')
      const files = [config.tlsCert, config.tlsKey].filter((file) => file !== undefined)
      if (files.length > 0) jobs.repeat(certificateWatch(files, () => tls.reload(server, 'files changed')))
    }
    const reloadCertificate = reload
    reload = () => {
      streams.reopen?.()
      reloadCertificate()
    }
    await app.listen({ port: config.port, host: config.host })
    if (metrics) {
      const { agentHeartbeatSeconds: heartbeatSeconds } = config
      const certificateExpires = () => tls?.current().expires
      serverGauges(metrics.registry, { db, clock, location, heartbeatSeconds, certificateExpires })
      if (plan) backupGauges(metrics.registry, plan)
      const metricsServer = await serveMetrics(metrics.registry, config.metricsPort, config.metricsHost)
      opened.push(() => void metricsServer.close())
    }
    const { rawEventDays } = config
    jobs.repeat(cleanupJob({ db, clock }))
    jobs.repeat(
      dailyJob({ db, clock, settingsOf: orgSettingsReader(), rawEventDays, retentionOf: settings.of }, log),
    )
    if (plan) {
      const masterKey = config.backupWithoutKey ? undefined : master.toString('base64url')
      jobs.repeat(backupJob({ db, clock, location, plan, masterKey, log }))
    }
    jobs.repeat(expiredKeysJob({ db, clock }))
    jobs.repeat(riskJob({ db, clock }))
    jobs.repeat(facetCountsJob(db))
    jobs.repeat(incidentsJob(db))
    const timeZoneOf = (org: number) => settings.of(org).timeZone
    jobs.repeat(alertsJob({ db, clock, publicUrl: config.publicUrl, timeZoneOf }))
    jobs.repeat(silentAgentsJob({ db, clock, timeZoneOf }))
    jobs.repeat(alertRetryJob({ db, clock }))
    const sender = webhookSender(webhooks)
    jobs.add(
      startDeliverer({
        db,
        clock,
        log,
        key: keys.webhookSecrets,
        sender,
        sendAlert: alertSender(db, sender, keys.webhookSecrets),
        onSignal: db.onEvents,
        onAttempt: metrics && webhookMetrics(metrics.registry, db, clock),
        onDisabled: (tx, webhook, nowMs) =>
          queueWebhookDisabledNotices(tx, webhook, nowMs, settings.of(webhook.org).webhookAlerts),
        tracing,
      }),
    )
    const { publicUrl, data: dataDir } = config
    const mailerOf = mailersOf(settings.of, {
      publicUrl,
      dataDir,
      guard,
      nameOf: () => newId(clock.nowMs()),
      // Nothing waits for notices, so the mail server gets the full SMTP timeouts.
      timeouts: backgroundTimeouts,
    })
    const observe = metrics?.observeNotice
    jobs.add(startNoticeSender({ db, clock, mailerOf, publicUrl, log, observe }))
    const keyExpiryDaysOf = (org: number) => settings.of(org).keyExpiryAlertDays
    jobs.repeat(noticeUpkeepJob({ db, clock, keyExpiryDaysOf }))
    jobs.add(readdress(db, config.publicUrl, log))
    const { port } = app.server.address() as AddressInfo
    const address = originAt(scheme, config.host, port)
    const setup = await createSetupLink(
      db,
      {
        publicUrl: config.port === 0 ? address : config.publicUrl,
        id: newId(nowMs),
        nowSeconds: unixSeconds(clock),
      },
      organization,
    )
    const { replacedBecause } = tls?.current() ?? {}
    return { address, lacksKey, replacedBecause, setupLink: setup?.link, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Loads OpenTelemetry on demand. @returns undefined unless a receiver of traces is configured */
async function configuredTracing(): Promise<Tracing | undefined> {
  const settings = tracingSettings()
  if (settings === undefined) return undefined
  const { startOtlpTracing } = await import('../modules/tracing/otlp-tracing.ts')
  return startOtlpTracing(settings.sampledRatio, settings.serviceName)
}

/** Loads the Redis client on demand. */
const sharedRateLimiter = async (options: RedisRateLimiterOptions): Promise<RateLimiter> =>
  (await import('../kernel/http/rate-limit/rate-limit-redis.ts')).redisRateLimiter(options)

/** Maximum time for running requests to finish, and interval of the checks. */
const closeTimeoutMs = 10_000
const idleCheckMs = 50

/**
 * Lets running requests finish, then closes the remaining connections of silent clients. A busy connection is closed after its
 * response.
 */
async function closeHttp(app: FastifyInstance): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), closeTimeoutMs)
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs)
  await app.close()
  clearTimeout(late)
  clearInterval(idle)
}

/** Returns the schedule of backups; undefined if none are made. */
function backupPlan(config: Config): BackupPlan | undefined {
  const { backupFolder: folder, backupEveryHours: everyHours, backupKeep: keep } = config
  return folder === undefined ? undefined : { folder, everyHours, keep }
}

const certificate = (config: Config) =>
  loadOrCreateCertificate({
    dataDir: config.data,
    certPath: config.tlsCert,
    keyPath: config.tlsKey,
    publicUrl: config.publicUrl,
    host: config.host,
  })

/** Updates links in detections that point to another public URL, in the background. */
function readdress(db: Db, publicUrl: string, log: Logger): BackgroundJob {
  const end = new AbortController()
  const done = rewriteDetectionLinks(db, publicUrl, end.signal).then(
    (changed) => changed > 0 && log.info({ changed }, 'updated links of detections to this server'),
    (error) => log.warn({ err: error }, 'links of detections may still point to another server'),
  )
  return {
    stop: async () => {
      end.abort()
      await done
    },
  }
}
