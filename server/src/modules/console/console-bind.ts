import { ApiError, notFound } from '@muster/contract/api/errors'
import { type ConsoleOperationId, consoleOperations } from '@muster/contract/console/console-api'
import {
  type ConsoleAnswer,
  type ConsoleBody,
  type ConsoleOperation,
  type Role,
  roleCovers,
  roles,
} from '@muster/contract/console/console-operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { storableId } from '../../kernel/actions/read.ts'
import { bodyReader, readNoBody } from '../../kernel/http/body.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import {
  browserCookie,
  browserCookieOptions,
  sessionCookie,
  sessionCookieOptions,
} from './console-cookies.ts'
import {
  authenticateSession,
  type FoundSession,
  requireReauthentication,
  type SessionOrigin,
  signedOut,
} from './console-sessions.ts'
import { requireSameOrigin } from './same-origin.ts'

/** Authorized request of the console page. */
export interface ConsoleCall {
  readonly origin: SessionOrigin
  /** Session of the caller, also one that still needs the second step. */
  readonly found: FoundSession | undefined
  /**
   * Session of the caller. @throws Error for a public operation without a session
   */
  readonly caller: FoundSession
  /** Sets the session cookie, or clears it with `undefined`. */
  setSession(token: string | undefined): void
  /** Cookie that marks a known browser, see `known-browser.ts`. */
  readonly browser: string | undefined
  /** Sets the cookie that marks a known browser. */
  setBrowser(known: string): void
}

type Operations = typeof consoleOperations

/** Handler of each console operation. A missing handler is a compile error. */
export type ConsoleHandlers<Ids extends ConsoleOperationId = ConsoleOperationId> = {
  readonly [Id in Ids]: (
    call: ConsoleCall,
    body: ConsoleBody<Operations[Id]>,
    /** The `:id` of the path; empty for paths without one. */
    id: string,
  ) => Promise<ConsoleAnswer<Operations[Id]>>
}

/** Dependencies of `admit`. */
export interface Admission {
  readonly db: Db
  readonly clock: Clock
  readonly publicUrl: string
}

declare module 'fastify' {
  interface FastifyRequest {
    consoleSession: FoundSession | undefined
  }
}

/** Path prefix of all console operations. */
export const consoleApiPrefix = '/console/api'

/**
 * ID of the administrator that the page shows. All tabs of a browser share a cookie: after another administrator signs
 * in in one tab, the others still show the previous one's data and must not act as the new one.
 */
const administratorHeader = 'x-muster-administrator'

const bodyLimitBytesDefault = 64 * 1024

/**
 * Authorizes a console request: same origin, session stage, same administrator as the page, role, and recent
 * re-authentication for sensitive operations. Public operations need only the same origin.
 *
 * @throws ApiError cross_site_request, signed_out, role_too_low, reauthentication_required
 */
export async function admit(
  request: FastifyRequest,
  { db, clock, publicUrl }: Admission,
  { access, sensitive }: Pick<ConsoleOperation, 'access' | 'sensitive'>,
): Promise<void> {
  requireSameOrigin(request, publicUrl)
  const nowSeconds = unixSeconds(clock)
  const found = await authenticateSession(db, request.cookies[sessionCookie], nowSeconds)
  request.consoleSession = found
  if (access === 'PUBLIC') return
  const stage = access === 'SECOND_FACTOR' ? 'SECOND_FACTOR' : 'ACTIVE'
  if (found?.session.stage !== stage) throw signedOut()
  const { id } = found.administrator
  if (access !== 'SECOND_FACTOR' && (request.headers[administratorHeader] ?? id) !== id) throw signedOut()
  if (isRole(access)) requireRole(found, access)
  if (sensitive) requireReauthentication(found.session, nowSeconds)
}

/**
 * Requires a role, for checks that depend on the request's content. @throws ApiError role_too_low
 */
export function requireRole({ administrator }: FoundSession, role: Role): void {
  if (!roleCovers(administrator.role, role))
    throw new ApiError('role_too_low', `This needs the role ${role}.`)
}

const isRole = (access: string): access is Role => (roles as readonly string[]).includes(access)
const accesses: readonly string[] = ['PUBLIC', 'SECOND_FACTOR', 'SESSION', ...roles]

/** Returns the handler's view of a request. */
export function callOf(request: FastifyRequest, reply: FastifyReply, clock: Clock): ConsoleCall {
  const found = request.consoleSession
  return {
    origin: {
      address: request.ip,
      userAgent: request.headers['user-agent'],
      nowSeconds: unixSeconds(clock),
    },
    found,
    get caller() {
      if (!found) throw new Error('a public console operation requires no caller, but its handler reads one')
      return found
    },
    setSession: (token) => {
      if (token === undefined) void reply.clearCookie(sessionCookie, sessionCookieOptions)
      else void reply.setCookie(sessionCookie, token, sessionCookieOptions)
    },
    browser: request.cookies[browserCookie],
    setBrowser: (known) => void reply.setCookie(browserCookie, known, browserCookieOptions),
  }
}

/**
 * Registers a route for each console operation.
 *
 * @throws Error for an operation without valid access rules (deny by default)
 */
export function bindConsole(
  app: FastifyInstance,
  admission: Admission,
  handlers: ConsoleHandlers,
  declared: Readonly<Record<string, ConsoleOperation>> = consoleOperations,
): void {
  for (const [operationId, operation] of Object.entries(declared)) {
    const { method, path, body, access, sensitive, bodyLimitBytes = bodyLimitBytesDefault } = operation
    if (!accesses.includes(access) || typeof sensitive !== 'boolean')
      throw new Error(`the console operation ${operationId} does not declare its access`)
    const readBody = body ? bodyReader(body) : readNoBody
    const handler = handlers[operationId as ConsoleOperationId] as (
      call: ConsoleCall,
      body: unknown,
      id: string,
    ) => Promise<unknown>
    app.route({
      method,
      url: path.slice(consoleApiPrefix.length),
      bodyLimit: bodyLimitBytes,
      onRequest: (request) => admit(request, admission, operation),
      handler: async (request, reply) => {
        const value = readBody(request.body as Buffer | undefined)
        const { id = '' } = request.params as { id?: string }
        if (!storableId(id)) throw notFound()
        const answer = await handler(callOf(request, reply, admission.clock), value, id)
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
      },
    })
  }
}
