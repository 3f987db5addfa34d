import { fileURLToPath } from 'node:url'
import { openApiDefaults } from '@muster/contract/api/openapi'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { authenticator } from '../kernel/http/authenticate.ts'
import { apiPrefix } from '../kernel/http/bind.ts'
import { type Check, registerHealth } from '../kernel/http/health.ts'
import { type HttpServerOptions, httpServer } from '../kernel/http/http-server.ts'
import { type RateLimiter, rateLimitHeaders } from '../kernel/http/rate-limit/rate-limit.ts'
import { failedAttemptLimiter } from '../kernel/http/rate-limit/rate-limit-address.ts'
import { registerSecurityText } from '../kernel/http/security-text.ts'
import { registerV1 } from '../kernel/http/v1.ts'
import { type Clock, unixSeconds } from '../kernel/lib/clock.ts'
import { newId } from '../kernel/lib/secrets/id.ts'
import type { DerivedKeys } from '../kernel/lib/secrets/secret.ts'
import { writeCheck } from '../kernel/store/lifecycle/write-check.ts'
import type { Db } from '../kernel/store/sql.ts'
import { agentDownloads } from '../modules/agents/agent-downloads.ts'
import { registerDownloads } from '../modules/agents/agent-downloads-page.ts'
import { registerEnrollPage } from '../modules/agents/agent-enroll-page.ts'
import { type AgentLimits, agentPrefix, registerAgent } from '../modules/agents/agent-routes.ts'
import { agentServices } from '../modules/agents/agent-services.ts'
import { invitationService } from '../modules/agents/invitation.ts'
import { registerDocs } from '../modules/api-docs/api-docs.ts'
import { keyDirectory } from '../modules/api-keys/key-directory.ts'
import { deprecationWatch } from '../modules/api-versions/deprecation-watch.ts'
import { registerVersionPage } from '../modules/api-versions/version-page.ts'
import { registerConsolePage } from '../modules/console/console-page.ts'
import { registerGuideSite } from '../modules/guide/guide-site.routes.ts'
import { intakeOf } from '../modules/ingest/intake-thread.ts'
import { registerMcp } from '../modules/mcp/mcp.routes.ts'
import type { IngestReport } from '../modules/metrics/metrics.ts'
import { cachedFigures } from '../modules/overview/cached-figures.service.ts'
import { computeOverview } from '../modules/overview/compute-overview.ts'
import { scimPrefix } from '../modules/scim/protocol/discovery.rules.ts'
import { registerScim } from '../modules/scim/scim.routes.ts'
import type { SettingsWatch } from '../modules/settings/settings-watch.ts'
import { apiServices } from './api-services.ts'
import { type ConsoleSettings, serveConsole } from './console-services.ts'

export interface AppOptions {
  db: Db
  keys: DerivedKeys
  clock: Clock
  /** Creates record IDs; default: UUIDv7 by the clock. */
  makeId?: () => string
  log: Logger
  rateLimiter: RateLimiter
  rateLimit: { sustained: number; burst: number }
  publicUrl: string
  recordsMember: string
  enrollmentLinkDays: number
  /** Data folder, which may hold a file of leaked passwords. */
  dataDir: string
  rangeUrl: string | undefined
  agentHeartbeatSeconds: number
  /** Rate limits of the agent endpoints; default: those of a public server. */
  agentLimits?: AgentLimits
  /** Folder of the built agent; default: that of `npm run agent:build`. */
  agentDist?: string
  /** Retention of raw agent events in days. */
  rawEventDays: number
  /** Settings in effect, which owners change in the console. Stopped by whoever made it. */
  settings: SettingsWatch
  console?: ConsoleSettings
  /** Folder of the built console; default: that of `npm run console:build`. */
  consoleDist?: string
  /** True if tools of assistants may change data; default: false. */
  mcpAllowWrites?: boolean
  trustProxy: boolean | readonly string[]
  tls?: { cert: string; key: string } | undefined
  /** See {@link HttpServerOptions}. */
  isHstsWanted?: HttpServerOptions['isHstsWanted']
  /** See {@link HttpServerOptions}. */
  isDraining?: HttpServerOptions['isDraining']
  /** Contact for vulnerability reports; default: `security@` and the public host. */
  securityContact?: string | undefined
  logRequests?: boolean
  observe?: HttpServerOptions['observe']
  observeIngest?: ((report: IngestReport) => void) | undefined
  observeIngestLags?: ((seconds: readonly number[]) => void) | undefined
  /** See {@link HttpServerOptions}. */
  tracing?: HttpServerOptions['tracing']
  timeouts?: HttpServerOptions['timeouts']
}

const builtAgents = fileURLToPath(new URL('../../../agent/dist/', import.meta.url))

/** Composes the server from its modules. Also used by tests. */
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
    tracing: options.tracing,
    timeouts: options.timeouts,
  })
  const directory = keyDirectory(db, log)
  const authenticate = authenticator({
    clock,
    failures: failedAttemptLimiter({ clock }),
    findPrincipal: directory.findPrincipal,
    noteUse: directory.noteUse,
  })
  const { enrollmentLinkDays } = options
  const servicesNaming = apiServices({ db, keys, clock, makeId, publicUrl, enrollmentLinkDays })
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
  registerDocs(app, { ...openApiDefaults, recordsMember, serverUrl: publicUrl }, () => {
    const dates = deprecations.datesOf('v1')
    return dates !== undefined && dates.deprecationTimestamp <= unixSeconds(clock)
  })
  registerVersionPage(app, deprecations.datesOf)
  registerSecurityText(app, { publicUrl, clock, contact: options.securityContact })
  await app.register(
    async (v1) => {
      registerV1(v1, {
        authenticate,
        rateLimiter,
        headersOf,
        services,
        publicUrl,
        deprecationDatesOf: deprecations.datesOf,
      })
    },
    { prefix: apiPrefix },
  )
  registerMcp(app, {
    authenticate,
    rateLimiter,
    headersOf,
    publicUrl,
    world: {
      db,
      clock,
      services: servicesNaming('records'),
      overviewOf: cachedFigures({ db, clock, log }, 'the overview of assistants', computeOverview),
      allowsWrites: options.mcpAllowWrites ?? false,
      writesHint: 'Start the server with --mcp-allow-writes, or set MUSTER_MCP_ALLOW_WRITES=true.',
      onFailure: (error) => log.error({ err: error }, 'a tool of an assistant failed'),
    },
  })
  const intake = intakeOf({ db, clock, publicUrl, rawEventDays: options.rawEventDays })
  const agents = await agentServices({
    db,
    keys,
    clock,
    makeId,
    dataDir: options.dataDir,
    rangeUrl: options.rangeUrl,
    heartbeatSeconds: options.agentHeartbeatSeconds,
    intake: async (principal, client, body) => {
      const answer = await writes.track(intake.intake(principal, client, body, options.observeIngestLags))
      if (!('dormant' in answer)) options.observeIngest?.({ ...answer, rejected: answer.rejected.length })
      return answer
    },
  })
  await app.register(
    async (agent) => registerAgent(agent, agents, { db, clock, limits: options.agentLimits }),
    {
      prefix: agentPrefix,
    },
  )
  await app.register(
    async (scim) => registerScim(scim, { db, clock, log, publicUrl, makeId, rateLimit: options.rateLimit }),
    { prefix: scimPrefix },
  )
  registerEnrollPage(app, { publicUrl, clock, invitation: invitationService({ db, clock }) })
  registerDownloads(app, { publicUrl, downloads: agentDownloads(options.agentDist ?? builtAgents) })
  await serveConsole(app, {
    db,
    keys,
    clock,
    log,
    makeId,
    publicUrl,
    dataDir: options.dataDir,
    rangeUrl: options.rangeUrl,
    keyDirectory: directory,
    deprecations,
    services: servicesNaming('records'),
    settings: options.settings,
    console: options.console ?? {},
  })
  registerConsolePage(app, options.consoleDist)
  registerGuideSite(app, options.consoleDist)
  app.addHook('onClose', async () => {
    await deprecations.stop()
    await intake.close()
    await directory.flush()
  })
  await app.ready()
  return app
}
