import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { forgetOldAnswers } from '../kernel/actions/idempotency.ts'
import { type Config, describeConfig } from '../kernel/config/config.ts'
import { listenPlan } from '../kernel/http/listen-plan.ts'
import { makeMetrics, serveMetrics } from '../kernel/http/metrics.ts'
import { memoryRateLimiter, type RateLimiter } from '../kernel/http/rate-limit/rate-limit.ts'
import type { RedisRateLimiterOptions } from '../kernel/http/rate-limit/rate-limit-redis.ts'
import { loadOrCreateCertificate, publicKeyPin } from '../kernel/http/tls.ts'
import { systemClock, unixSeconds } from '../kernel/lib/clock.ts'
import { originAt } from '../kernel/lib/net/origin-at.ts'
import { newId } from '../kernel/lib/secrets/id.ts'
import { deriveKeys } from '../kernel/lib/secrets/secret.ts'
import { together } from '../kernel/lib/together.ts'
import { ensureDefaultOrganization } from '../kernel/organizations/organizations.ts'
import { openMasterKey } from '../kernel/store/lifecycle/master-key.ts'
import { openStore } from '../kernel/store/lifecycle/open.ts'
import { lockForServer } from '../kernel/store/lifecycle/server-lock.ts'
import type { Patience } from '../kernel/store/lifecycle/store-turn.ts'
import type { Db } from '../kernel/store/sql.ts'
import { createSetupLink } from '../modules/administrators/console-links.ts'
import { termsReader } from '../modules/agents/org-terms.ts'
import { expiredKeysTimer } from '../modules/api-keys/expired-keys-timer.ts'
import { cleanUpConsole } from '../modules/console/console-housekeeping.ts'
import { readdressDetections } from '../modules/detections/detection-links.service.ts'
import { dailyTimer } from '../modules/maintenance/daily-timer.ts'
import { longPatience, mailer, mailSender } from '../modules/notices/mail.ts'
import { noticeTimer } from '../modules/notices/notice-timer.ts'
import { forgetOldNotices } from '../modules/notices/queue-notices.ts'
import { startStreams } from '../modules/streams/streams.ts'
import { deliverEvents, senderOptions } from '../modules/webhooks/delivery/start-deliverer.ts'
import { tidyWebhooks } from '../modules/webhooks/webhook-retention.service.ts'
import { buildApp } from './app.ts'
import type { ConsoleSettings } from './console-services.ts'
import { servedCertificate } from './served-certificate.ts'
import { serverLog } from './server-log.ts'

/** A server that runs. */
export interface RunningServer {
  /** The address it listens on: `https://127.0.0.1:8443`. */
  address: string
  /** Nobody has made an API key yet. */
  lacksKey: boolean
  /** Why the self-signed certificate is not the one of before, which clients may trust; undefined if it is. */
  replacedBecause: string | undefined
  /** Where the first administrator of the console sets it up; undefined once there is one. */
  setupLink: string | undefined
  /**
   * Announces the end to load balancers and clients: from now on `/readyz` answers 503, and every answer closes its
   * connection. Requests and new connections are still served.
   */
  drain(): void
  /** Takes no more requests, finishes those that run, and closes the store. */
  close(): Promise<void>
}

const housekeepingMs = 60 * 60 * 1000

/**
 * Starts a server by its settings.
 *
 * @param patience how to wait while an import of a large file has the embedded store for itself
 * @throws ConfigError for settings that cannot work, StoreUnavailableError when the store cannot be reached
 */
export async function startServer(config: Config, patience?: Patience): Promise<RunningServer> {
  const clock = systemClock
  const plan = listenPlan(config)
  const log = serverLog(config.logLevel)
  const opened: (() => Promise<void> | void)[] = []
  let isDraining = false
  const drain = (): void => {
    isDraining = true
  }
  /** Ends what was begun, the last first. */
  const close = async (): Promise<void> => {
    drain()
    for (const end of opened.splice(0).reverse()) await end()
  }
  let reload = (): void => undefined
  const onHangup = () => reload()
  process.on('SIGHUP', onHangup)
  opened.push(() => void process.off('SIGHUP', onHangup))
  try {
    if (config.databaseUrl === undefined) opened.push(lockForServer(config.data))
    const db = await openStore(
      { dataDir: config.data, databaseUrl: config.databaseUrl, patience },
      unixSeconds(clock),
    )
    opened.push(() => db.close())
    const webhooks = senderOptions(config)
    const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
    const keys = deriveKeys(master)
    const nowMs = clock.nowMs()
    const organization = await db.inTransaction((tx) =>
      ensureDefaultOrganization(tx, newId(nowMs), unixSeconds(clock)),
    )
    const metrics = config.metricsPort > 0 ? makeMetrics() : undefined
    const streams = await startStreams({
      ...{ db, clock, log, settings: config, hostname: hostname() },
      ...{ holder: newId(nowMs), registry: metrics?.registry },
    })
    opened.push(() => streams.stop())
    const lacksKey = (await db.get('SELECT 1 AS one FROM api_keys LIMIT 1')) === undefined
    const rateLimit = { sustained: config.rateLimitSustained, burst: config.rateLimitBurst }
    const memory = memoryRateLimiter({ ...rateLimit, clock })
    const rateLimiter = config.redisUrl
      ? await sharedRateLimiter({ ...rateLimit, url: config.redisUrl, fallback: memory, log })
      : memory
    opened.push(() => rateLimiter.close())
    const tls = plan === 'https' ? await servedCertificate(() => certificate(config), log) : undefined
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
      dataDir: config.data,
      rangeUrl: config.rangeUrl,
      agentHeartbeatSeconds: config.agentHeartbeatSeconds,
      rawEventDays: config.rawEventDays,
      console: {
        ...consoleSettings(config),
        webhooks,
        certificatePin: () => (tls?.current().selfSigned ? publicKeyPin(tls.current()) : undefined),
      },
      trustProxy: config.trustProxy,
      tls: tls?.current(),
      isHstsWanted: () => tls?.current().selfSigned === false,
      isDraining: () => isDraining,
      securityContact: config.securityContact,
      logRequests: config.logRequests,
      observe: metrics?.observe,
    })
    opened.push(() => drained(app))
    reload = () => {
      streams.reopen?.()
      if (app.server instanceof TlsServer) void tls?.reload(app.server)
    }
    await app.listen({ port: config.port, host: config.host })
    const metricsServer = metrics ? await serveMetrics(metrics.registry, config.metricsPort) : undefined
    opened.push(() => void metricsServer?.close())
    const housekeeping = setInterval(() => void tidy(db, log), housekeepingMs)
    opened.push(() => clearInterval(housekeeping))
    const daily = dailyTimer({ db, clock, termsOf: termsReader(), rawEventDays: config.rawEventDays }, log)
    const endDelivery = deliverEvents({
      ...{ db, clock, log, key: keys.webhookSecrets },
      ...{ sender: webhooks, registry: metrics?.registry },
    })
    const notices = sendNotices(config, db, log, metrics?.observeNotice)
    const expiredKeys = expiredKeysTimer({ db, clock, log })
    // At the same time: each may wait some seconds for others, and who stops the server does not wait for long.
    opened.push(
      async () => void (await together([daily.stop(), endDelivery(), notices.stop(), expiredKeys.stop()])),
    )
    const readdressing = readdress(db, config.publicUrl, log)
    opened.push(() => readdressing.stop())
    const { port } = app.server.address() as AddressInfo
    const address = originAt(plan, config.host, port)
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

/** Its client is loaded only where there is a Redis. */
const sharedRateLimiter = async (options: RedisRateLimiterOptions): Promise<RateLimiter> =>
  (await import('../kernel/http/rate-limit/rate-limit-redis.ts')).redisRateLimiter(options)

/** For how long requests that run may go on when the server is told to stop, and how often it is looked whether they have ended. */
const drainMs = 10_000
const drainedEveryMs = 50

/**
 * Lets the requests that run finish, and then ends whatever connections are left: a client that says nothing more. A
 * connection that was busy when the closing began is ended as soon as its answer is out.
 */
async function drained(app: FastifyInstance): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), drainMs)
  const idle = setInterval(() => app.server.closeIdleConnections(), drainedEveryMs)
  await app.close()
  clearTimeout(late)
  clearInterval(idle)
}

function consoleSettings(config: Config): ConsoleSettings {
  const {
    smtpUrl,
    mailFrom,
    oidcIssuer: issuer,
    oidcClientId: clientId,
    oidcClientSecret: clientSecret,
  } = config
  const complete = issuer !== undefined && clientId !== undefined && clientSecret !== undefined
  const oidc = complete ? { issuer, clientId, clientSecret, name: config.oidcName } : undefined
  const inForce = describeConfig(config).map(({ value, ...setting }) => ({
    ...setting,
    value: value === null ? null : String(value),
  }))
  return { smtpUrl, mailFrom, oidc, inForce }
}

/** Sends notices to people from now on. Nobody waits for them: the mail server gets the time that SMTP grants it. */
function sendNotices(
  config: Config,
  db: Db,
  log: Logger,
  observe: ((kind: string, state: string) => void) | undefined,
): { stop(): Promise<void> } {
  const { smtpUrl, publicUrl, data: dataDir } = config
  const from = mailSender(config.mailFrom, publicUrl)
  const nameOf = () => newId(systemClock.nowMs())
  const mails = mailer({ smtpUrl, from, dataDir, nameOf, patience: longPatience })
  return noticeTimer({ db, clock: systemClock, mailer: mails, publicUrl, log, observe })
}

const certificate = (config: Config) =>
  loadOrCreateCertificate({
    dataDir: config.data,
    certPath: config.tlsCert,
    keyPath: config.tlsKey,
    publicUrl: config.publicUrl,
    host: config.host,
  })

/** Leads links that were made for another address to this server, while it serves already. */
function readdress(db: Db, publicUrl: string, log: Logger): { stop(): Promise<void> } {
  const end = new AbortController()
  const done = readdressDetections(db, publicUrl, end.signal).then(
    (changed) => changed > 0 && log.info({ changed }, 'links of detections lead to this server now'),
    (error) => log.warn({ err: error }, 'links of detections may lead to another server'),
  )
  return {
    stop: async () => {
      end.abort()
      await done
    },
  }
}

async function tidy(db: Db, log: Logger): Promise<void> {
  try {
    await db.inTransaction((tx) => forgetOldAnswers(tx, unixSeconds(systemClock)))
    await cleanUpConsole(db, unixSeconds(systemClock))
    await tidyWebhooks(db, systemClock.nowMs())
    await forgetOldNotices(db, unixSeconds(systemClock))
  } catch (error) {
    log.warn({ err: error }, 'old answers to Idempotency-Keys, old sessions or old notices were not removed')
  }
}
