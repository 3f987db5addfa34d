import { type ConsoleOperationId, consoleOperations } from '@muster/contract/console/console-api'
import {
  type ConsoleAnswer,
  type ConsoleBody,
  type ConsoleOperation,
  type Role,
  roleCovers,
  roles,
} from '@muster/contract/console/console-operation'
import { ApiError, notFound } from '@muster/contract/errors'
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
  type FoundSession,
  findLiveSession,
  requireFresh,
  type SessionOrigin,
  signedOut,
} from './console-sessions.ts'
import { requireSameOrigin } from './same-origin.ts'

/** A request of the page, once it may be answered. */
export interface ConsoleCall {
  readonly origin: SessionOrigin
  /** Who asks, if anybody is signed in or on the way to be. */
  readonly found: FoundSession | undefined
  /** Who asks. @throws Error for an operation that is open to anybody */
  readonly caller: FoundSession
  /** Gives the browser a new session, or with `undefined` takes it away. */
  setSession(token: string | undefined): void
  /** By what the browser may be known, see `known-browser.ts`. */
  readonly browser: string | undefined
  /** Lets the browser be known from now on. */
  setBrowser(known: string): void
}

type Operations = typeof consoleOperations

/** What the server does for each operation of the console; one that is missing does not compile. */
export type ConsoleHandlers<Ids extends ConsoleOperationId = ConsoleOperationId> = {
  readonly [Id in Ids]: (
    call: ConsoleCall,
    body: ConsoleBody<Operations[Id]>,
    /** The id of the path, which a store can hold; empty for paths without one. */
    id: string,
  ) => Promise<ConsoleAnswer<Operations[Id]>>
}

/** What admission of a request needs. */
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

/** Every call of the page starts with it. */
export const consoleApiPrefix = '/console/api'

/**
 * The page says in it whose page it is, by their id. All tabs of a browser share one cookie: after somebody has signed in in
 * one of them, the others still show what they had read for whoever was signed in before.
 */
const administratorHeader = 'x-muster-administrator'

const bodyLimitBytesDefault = 64 * 1024

/**
 * Lets a request pass that may make this call: from the page itself, by somebody who has come far enough with signing
 * in and is whom the page takes them for, whose role permits it, and who has proved lately who they are if the act is
 * sensitive. Signing in and out is for whoever does it, whatever the page was before.
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
  const found = await findLiveSession(db, request.cookies[sessionCookie], nowSeconds)
  request.consoleSession = found
  if (access === 'PUBLIC') return
  const stage = access === 'SECOND_FACTOR' ? 'SECOND_FACTOR' : 'ACTIVE'
  if (found?.session.stage !== stage) throw signedOut()
  const { id } = found.administrator
  if (access !== 'SECOND_FACTOR' && (request.headers[administratorHeader] ?? id) !== id) throw signedOut()
  if (isRole(access)) requireRole(found, access)
  if (sensitive) requireFresh(found.session, nowSeconds)
}

/** For what needs more than the call that asks for it. @throws ApiError role_too_low */
export function requireRole({ administrator }: FoundSession, role: Role): void {
  if (!roleCovers(administrator.role, role))
    throw new ApiError('role_too_low', `This needs the role ${role}.`)
}

const isRole = (access: string): access is Role => (roles as readonly string[]).includes(access)
const accesses: readonly string[] = ['PUBLIC', 'SECOND_FACTOR', 'SESSION', ...roles]

/** What a handler is told of its request. */
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
      if (!found) throw new Error('an operation that is open to anybody asked who calls')
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
 * Binds every operation of the console to its handler.
 *
 * @throws Error for an operation without an access that is known: deny by default
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
      throw new Error(`${operationId} of the console does not say who may call it`)
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
