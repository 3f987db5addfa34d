import { ApiError } from '@muster/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { decryptText, encryptText } from '../../kernel/lib/secrets/secret.ts'
import { join, newAdministrator } from '../administrators/accept-link.ts'
import { lockAdministrator, updateAdministrator } from '../administrators/administrators.service.ts'
import { admit, callOf, consoleApiPrefix } from '../console/console-bind.ts'
import { oidcCookie, oidcCookieOptions } from '../console/console-cookies.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { beginSession, liveSession, type SessionOrigin } from '../console/console-sessions.ts'
import { type OidcChecks, type OidcPerson, type OidcSettings, oidcClient } from './oidc-client.ts'
import { matchPerson } from './oidc-person.ts'
import { consoleHome, safeReturnTo } from './return-to.rules.ts'
import { removeSession } from './sessions.service.ts'
import { tellSignIn } from './sign-in-audit.ts'

const startPath = '/oidc/start'
const callbackPath = '/oidc/callback'
const hopSeconds = 10 * 60

/** What is remembered while the person is at the identity provider, encrypted, in a cookie. */
interface Hop extends OidcChecks {
  readonly returnTo: string
  readonly startedTimestamp: number
  /** The session that asks for a fresh proof, and whose it is. */
  readonly session?:
    | { readonly hash: string; readonly org: number; readonly administratorId: string }
    | undefined
}

/** Signing in at the identity provider: out by one hop of the browser, back by another. */
export function registerOidc(app: FastifyInstance, parts: ConsoleParts, settings: OidcSettings): void {
  const { clock, keys, publicUrl, log } = parts
  const oidc = oidcClient(settings, `${publicUrl}${consoleApiPrefix}${callbackPath}`)
  const seal = (hop: Hop) => encryptText(keys.consoleSecrets, JSON.stringify(hop), 'oidc hop')
  const open = (sealed: string | undefined): Hop | undefined => {
    try {
      return JSON.parse(decryptText(keys.consoleSecrets, sealed ?? '', 'oidc hop')) as Hop
    } catch {
      return undefined
    }
  }
  const failed = (reply: FastifyReply, reason: 'unreachable' | 'refused' | 'unknown') =>
    reply.redirect(`${consoleHome}?signInError=${reason}`, 303)

  app.get(startPath, {
    onRequest: (request) => admit(request, parts, { access: 'PUBLIC', sensitive: false }),
    handler: async (request, reply) => {
      const query = new URLSearchParams(request.url.split('?')[1] ?? '')
      const { found } = callOf(request, reply, clock)
      const fresh = query.get('reauthenticate') === 'true' && found?.session.stage === 'ACTIVE'
      try {
        const { url, checks } = await oidc.begin(fresh)
        const hop: Hop = {
          ...checks,
          returnTo: safeReturnTo(query.get('returnTo') ?? undefined),
          startedTimestamp: unixSeconds(clock),
          session: found && {
            hash: found.session.hash,
            org: found.session.org,
            administratorId: found.administrator.id,
          },
        }
        return reply.setCookie(oidcCookie, seal(hop), oidcCookieOptions).redirect(url, 303)
      } catch (error) {
        log.warn({ err: error }, 'the identity provider cannot be reached')
        return failed(reply, 'unreachable')
      }
    },
  })

  app.get(callbackPath, async (request, reply) => {
    void reply.clearCookie(oidcCookie, oidcCookieOptions)
    const hop = open(request.cookies[oidcCookie])
    const nowSeconds = unixSeconds(clock)
    if (!hop || nowSeconds - hop.startedTimestamp > hopSeconds) return failed(reply, 'refused')
    const end = request.url.indexOf('?')
    const query = end < 0 ? '' : request.url.slice(end)
    const told = async <T>(work: Promise<T | undefined>, email: string | null): Promise<T | undefined> => {
      const outcome = await work
      const failure = { org: undefined, email, method: 'OIDC' } as const
      if (outcome === undefined) await parts.failedSignIns.tell(originOf(request, nowSeconds), failure)
      return outcome
    }
    const limited = <T>(what: string, work: () => Promise<T | undefined>): Promise<T | undefined> =>
      parts.attempts.check(what, request.ip, nowSeconds, work).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        return undefined
      })
    const answered = () =>
      oidc.finish(query, hop).catch((error: unknown) => {
        log.warn({ err: error }, 'an answer of the identity provider was refused')
        return undefined
      })
    const person = await limited(`oidc ${request.ip}`, () => told(answered(), null))
    if (!person) return failed(reply, 'refused')
    // Whom the provider has named does not guess: who is nobody of ours waits alone, and not with all behind the same address.
    const name = parts.attempts.nameOfSubject(person.issuer, person.subject)
    const token = await limited(name, () => told(enterBy(parts, request, hop, person), person.email ?? null))
    if (token === undefined) return failed(reply, 'unknown')
    callOf(request, reply, clock).setSession(token)
    return reply.redirect(hop.returnTo, 303)
  })
}

const originOf = (request: FastifyRequest, nowSeconds: number): SessionOrigin => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  nowSeconds,
})

/** Begins the session of whom the provider has named; undefined if that is nobody of ours, or not who asked. */
async function enterBy(
  { db, clock, makeId }: ConsoleParts,
  request: FastifyRequest,
  { fresh, session }: Hop,
  person: OidcPerson,
): Promise<string | undefined> {
  const nowSeconds = unixSeconds(clock)
  const match = await matchPerson(db, person, nowSeconds, fresh ? session?.org : undefined)
  if (!match) return undefined
  const administrator =
    match.kind === 'ADMINISTRATOR'
      ? match.administrator
      : {
          ...newAdministrator(match.invitation.org, makeId(), match.email, person.name, nowSeconds),
          role: match.invitation.role,
        }
  if (fresh && session?.administratorId !== administrator.id) return undefined
  const origin = originOf(request, nowSeconds)
  return db.inTransaction(async (tx) => {
    const { org, id } = administrator
    if (match.kind === 'ADMINISTRATOR' && !(await lockAdministrator(tx, org, id))) return undefined
    // Who proves anew who they are goes on with their session; if it has ended meanwhile, they sign in.
    const before = fresh && session ? await liveSession(tx, session.hash, nowSeconds) : undefined
    if (session && !before) await removeSession(tx, session.hash)
    if (match.kind === 'INVITED') await join(tx, match.invitation, administrator, origin)
    else if (!before) await tellSignIn(tx, administrator, origin, 'OIDC')
    await updateAdministrator(tx, org, id, {
      oidcIssuer: person.issuer,
      oidcSubject: person.subject,
      ...(before ? {} : { lastSignInTimestamp: nowSeconds }),
    })
    // Who was known to the provider already has proved nothing lately.
    return beginSession(tx, administrator, origin, {
      stage: 'ACTIVE',
      authenticatedTimestamp: fresh ? nowSeconds : 0,
      before,
      continues: true,
    })
  })
}
