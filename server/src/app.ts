import { fileURLToPath } from 'node:url'
import { openApiDefaults } from '@muster/contract/openapi'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { registerConsolePage } from './console/console-page.ts'
import { type ConsoleSettings, serveConsole } from './console/console-services.ts'
import { deprecationWatch } from './events/deprecation-watch.ts'
import { accountActions } from './features/accounts/accounts.routes.ts'
import { actService } from './features/act.ts'
import type { Actions } from './features/action.ts'
import { keyDirectory } from './features/api-keys/key-directory.ts'
import { requestCounts } from './features/api-keys/request-counts.ts'
import { appActions } from './features/apps/apps.routes.ts'
import { blockedUrlActions } from './features/blocked-urls/blocked-urls.routes.ts'
import { detectionActions } from './features/detections/detections.routes.ts'
import { employeeActions } from './features/employees/employees.routes.ts'
import { readService } from './features/read.ts'
import { stolenCredentialActions } from './features/stolen-credentials/stolen-credentials.routes.ts'
import { agentDownloads } from './http/agent-downloads.ts'
import { registerDownloads } from './http/agent-downloads-page.ts'
import { registerEnrolPage } from './http/agent-enrol-page.ts'
import { type AgentLimits, agentPrefix, registerAgent } from './http/agent-routes.ts'
import { registerDocs } from './http/api-docs.ts'
import { authenticator } from './http/authenticate.ts'
import { apiPrefix } from './http/bind.ts'
import { versionHeaders } from './http/deprecation-headers.ts'
import { type Check, registerHealth } from './http/health.ts'
import { type HttpServerOptions, httpServer } from './http/http-server.ts'
import type { RateLimiter } from './http/rate-limit.ts'
import { failedAttemptLimiter } from './http/rate-limit-address.ts'
import { rateLimitHeaders } from './http/rate-limit-headers.ts'
import { registerSecurityText } from './http/security-text.ts'
import { registerV1 } from './http/v1.ts'
import { registerVersionPage } from './http/version-page.ts'
import { agentServices } from './ingest/agent-services.ts'
import { intakeOf } from './ingest/intake-thread.ts'
import { invitationService } from './ingest/invitation.ts'
import { type Clock, unixSeconds } from './lib/clock.ts'
import { newId } from './lib/id.ts'
import type { DerivedKeys } from './lib/secret.ts'
import type { Db } from './storage/sql.ts'
import { writeCheck } from './storage/write-check.ts'

export interface AppOptions {
  db: Db
  keys: DerivedKeys
  clock: Clock
  /** Makes the ids of records; ids that sort by the clock's time unless given. */
  makeId?: () => string
  log: Logger
  rateLimiter: RateLimiter
  rateLimit: { sustained: number; burst: number }
  publicUrl: string
  recordsMember: string
  enrollmentLinkDays: number
  /** Where a file of leaked passwords would be. */
  dataDir: string
  rangeUrl: string | undefined
  agentHeartbeatSeconds: number
  /** Rate limits of the agent endpoints; those of a public server unless given. */
  agentLimits?: AgentLimits
  /** Where the agent was built; the place that `npm run agent:build` uses unless told. */
  agentDist?: string
  /** For so many days the events of agents are kept. */
  rawEventDays: number
  console?: ConsoleSettings
  /** Where the page of the console was built; the place that `npm run console:build` uses unless told. */
  consoleDist?: string
  trustProxy: boolean | readonly string[]
  tls?: { cert: string; key: string } | undefined
  /** Tells whether browsers may be told to use TLS only: see {@link HttpServerOptions}. */
  isHstsWanted?: HttpServerOptions['isHstsWanted']
  /** Tells whether the server is about to stop: see {@link HttpServerOptions}. */
  isDraining?: HttpServerOptions['isDraining']
  /** Contact for reports of vulnerabilities; `security@` and the public host unless given. */
  securityContact?: string | undefined
  logRequests?: boolean
  observe?: HttpServerOptions['observe']
  timeouts?: HttpServerOptions['timeouts']
}

const builtAgents = fileURLToPath(new URL('../../agent/dist/', import.meta.url))

/** Joins the parts of the server: the one place that knows them all. Tests call it, too. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { keys, clock, log, publicUrl, recordsMember, rateLimiter } = options
  const writes = writeCheck(options.db)
  const { db } = writes
  const makeId = options.makeId ?? (() => newId(clock.nowMs()))
  const app = httpServer({
    log,
    tls: options.tls,
    trustProxy: options.trustProxy,
    docsUrl: `${publicUrl}/docs`,
    isHstsWanted: options.isHstsWanted,
    isDraining: options.isDraining,
    logRequests: options.logRequests ?? false,
    observe: options.observe,
    timeouts: options.timeouts,
  })
  const actions: Actions = {
    ...accountActions,
    ...appActions,
    ...detectionActions,
    ...employeeActions({ makeId, publicUrl, enrollmentLinkDays: options.enrollmentLinkDays }),
    ...blockedUrlActions({ makeId }),
    ...stolenCredentialActions({ makeId, keys }),
  }
  const directory = keyDirectory(db, log)
  const counts = requestCounts(db, log)
  const authenticate = authenticator({
    clock,
    failures: failedAttemptLimiter({ clock }),
    findPrincipal: directory.findPrincipal,
    noteUse: (principal, nowMs) => {
      directory.noteUse(principal, nowMs)
      counts.note(principal, nowMs)
    },
  })
  const acts = actService({ db, clock, actions, keys })
  const servicesNaming = (member: string) => ({
    ...readService({ db, tokenKey: keys.pagingToken, recordsMember: member }),
    ...acts,
  })
  const services = servicesNaming(recordsMember)
  const headersOf = rateLimitHeaders(options.rateLimit)

  const checks: Check[] = [
    {
      name: 'store',
      required: true,
      run: async () => {
        await db.get('SELECT 1 AS one')
        return (await writes.problem()) ?? true
      },
    },
    { name: 'sharedRateLimit', required: false, run: async () => rateLimiter.healthy() },
  ]
  registerHealth(app, checks, options.isDraining)
  const deprecations = await deprecationWatch(db, log)
  const datesOf = (name: string) => deprecations.current().find((row) => row.version === name)
  const datesOfV1 = () => datesOf('v1')
  registerDocs(app, { ...openApiDefaults, recordsMember, serverUrl: publicUrl }, () => {
    const dates = datesOfV1()
    return dates !== undefined && dates.deprecationTimestamp <= unixSeconds(clock)
  })
  registerVersionPage(app, datesOf)
  registerSecurityText(app, { publicUrl, clock, contact: options.securityContact })
  await app.register(
    async (v1) => {
      registerV1(v1, {
        ...{ authenticate, rateLimiter, headersOf, services, publicUrl },
        versionHeaders: versionHeaders(datesOfV1, `${publicUrl}/docs`),
      })
    },
    { prefix: apiPrefix },
  )
  const intake = intakeOf({ db, clock, publicUrl, rawEventDays: options.rawEventDays })
  const agents = await agentServices({
    db,
    keys,
    clock,
    makeId,
    dataDir: options.dataDir,
    rangeUrl: options.rangeUrl,
    heartbeatSeconds: options.agentHeartbeatSeconds,
    intake: (...batch) => writes.note(intake.intake(...batch)),
  })
  await app.register(async (agent) => registerAgent(agent, agents, clock, options.agentLimits), {
    prefix: agentPrefix,
  })
  registerEnrolPage(app, { publicUrl, clock, invitation: invitationService({ db, clock }) })
  registerDownloads(app, { publicUrl, downloads: agentDownloads(options.agentDist ?? builtAgents) })
  await serveConsole(app, {
    ...{ db, keys, clock, log, makeId, publicUrl },
    dataDir: options.dataDir,
    rangeUrl: options.rangeUrl,
    requestCounts: counts,
    deprecations,
    services: servicesNaming('records'),
    settings: options.console ?? {},
  })
  registerConsolePage(app, options.consoleDist)
  app.addHook('onClose', async () => {
    deprecations.stop()
    await intake.close()
    await directory.flush()
    await counts.flush()
  })
  await app.ready()
  return app
}
