import { ApiError, notFound } from '@muster/contract/api/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { decryptText, encryptText } from '../../kernel/lib/secrets/secret.ts'
import { lockAdministrator, updateAdministrator } from '../administrators/administrators.service.ts'
import { addInvited, administratorRow } from '../administrators/redeem-link.ts'
import { admit, callOf } from '../console/console-bind.ts'
import { oidcCookie, oidcCookieOptions } from '../console/console-cookies.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { createSession, findActiveSession, type SessionOrigin } from '../console/console-sessions.ts'
import { type OidcChecks, type OidcPerson, oidcCallbackPath } from './oidc-client.ts'
import { matchPerson } from './oidc-person.ts'
import { consoleHome, safeReturnTo } from './return-to.rules.ts'
import { removeSession } from './sessions.service.ts'
import { recordSignIn } from './sign-in-audit.ts'
import type { SignOnProvider } from './sign-on-provider.ts'

const startPath = '/oidc/start'
const stateSeconds = 10 * 60

/** State of a sign-in in progress. Kept encrypted in a cookie while the person is at the identity provider. */
interface OidcState extends OidcChecks {
  readonly returnTo: string
  readonly startedTimestamp: number
  /** Session of this browser at the start. */
  readonly session?:
    | { readonly hash: string; readonly org: number; readonly administratorId: string }
    | undefined
}

/** Registers sign-in through the identity provider: the redirect to it and the callback. */
export function registerOidc(app: FastifyInstance, parts: ConsoleParts): void {
  const { clock, keys, log, signOn } = parts
  /** @throws ApiError not_found without single sign-on */
  const required = (): SignOnProvider => {
    const provider = signOn.of()
    if (!provider) throw notFound()
    return provider
  }
  const seal = (state: OidcState) => encryptText(keys.consoleSecrets, JSON.stringify(state), 'oidc hop')
  const open = (sealed: string | undefined): OidcState | undefined => {
    try {
      return JSON.parse(decryptText(keys.consoleSecrets, sealed ?? '', 'oidc hop')) as OidcState
    } catch {
      return undefined
    }
  }
  const failed = (reply: FastifyReply, reason: 'unreachable' | 'refused' | 'unknown') =>
    reply.redirect(`${consoleHome}?signInError=${reason}`, 303)

  app.get(startPath, {
    onRequest: (request) => admit(request, parts, { access: 'PUBLIC', sensitive: false }),
    handler: async (request, reply) => {
      const { client } = required()
      const query = new URLSearchParams(request.url.split('?')[1] ?? '')
      const { found } = callOf(request, reply, clock)
      const fresh = query.get('reauthenticate') === 'true' && found?.session.stage === 'ACTIVE'
      try {
        const { url, checks } = await client.begin(fresh)
        const state: OidcState = {
          ...checks,
          returnTo: safeReturnTo(query.get('returnTo') ?? undefined),
          startedTimestamp: unixSeconds(clock),
          session: found && {
            hash: found.session.hash,
            org: found.session.org,
            administratorId: found.administrator.id,
          },
        }
        return reply.setCookie(oidcCookie, seal(state), oidcCookieOptions).redirect(url, 303)
      } catch (error) {
        log.warn({ err: error }, 'cannot reach the identity provider')
        return failed(reply, 'unreachable')
      }
    },
  })

  app.get(oidcCallbackPath, async (request, reply) => {
    const { client, onlyOrg } = required()
    void reply.clearCookie(oidcCookie, oidcCookieOptions)
    const state = open(request.cookies[oidcCookie])
    const nowSeconds = unixSeconds(clock)
    if (!state || nowSeconds - state.startedTimestamp > stateSeconds) return failed(reply, 'refused')
    const end = request.url.indexOf('?')
    const query = end < 0 ? '' : request.url.slice(end)
    const recorded = async <T>(
      work: Promise<T | undefined>,
      email: string | null,
    ): Promise<T | undefined> => {
      const outcome = await work
      const failure = { org: onlyOrg, email, method: 'OIDC' } as const
      if (outcome === undefined) await parts.failedSignIns.record(originOf(request, nowSeconds), failure)
      return outcome
    }
    const limited = <T>(account: string, work: () => Promise<T | undefined>): Promise<T | undefined> =>
      parts.attempts.check(account, request.ip, nowSeconds, work).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        return undefined
      })
    const finish = () =>
      client.finish(query, state).catch((error: unknown) => {
        log.warn({ err: error }, 'refused a response of the identity provider')
        return undefined
      })
    const person = await limited(`oidc ${request.ip}`, () => recorded(finish(), null))
    if (!person) return failed(reply, 'refused')
    // An authenticated person without access is not guessing: limit them by subject, not the address they share.
    const account = parts.attempts.subjectKeyOf(person.issuer, person.subject)
    const start = () => startOidcSession(parts, request, state, { person, onlyOrg })
    const token = await limited(account, () => recorded(start(), person.email ?? null))
    if (token === undefined) return failed(reply, 'unknown')
    callOf(request, reply, clock).setSession(token)
    return reply.redirect(state.returnTo, 303)
  })
}

const originOf = (request: FastifyRequest, nowSeconds: number): SessionOrigin => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  nowSeconds,
})

/** Starts the session of an authenticated person; undefined if they have no access or did not start this flow. */
async function startOidcSession(
  { db, clock, makeId }: ConsoleParts,
  request: FastifyRequest,
  { fresh, session }: OidcState,
  { person, onlyOrg }: { person: OidcPerson; onlyOrg: number | undefined },
): Promise<string | undefined> {
  const nowSeconds = unixSeconds(clock)
  const match = await matchPerson(db, person, nowSeconds, onlyOrg ?? (fresh ? session?.org : undefined))
  if (!match) return undefined
  const administrator =
    match.kind === 'ADMINISTRATOR'
      ? match.administrator
      : {
          ...administratorRow(match.invitation.org, makeId(), match.email, person.name, nowSeconds),
          role: match.invitation.role,
        }
  if (fresh && session?.administratorId !== administrator.id) return undefined
  const origin = originOf(request, nowSeconds)
  return db.inTransaction(async (tx) => {
    const { org, id } = administrator
    if (match.kind === 'ADMINISTRATOR' && !(await lockAdministrator(tx, org, id))) return undefined
    // Re-authentication continues the session; if it has ended in the meantime, this is a new sign-in.
    const before = fresh && session ? await findActiveSession(tx, session.hash, nowSeconds) : undefined
    if (session && !before) await removeSession(tx, session.hash)
    if (match.kind === 'INVITED') await addInvited(tx, match.invitation, administrator, origin)
    else if (!before) await recordSignIn(tx, administrator, origin, 'OIDC')
    await updateAdministrator(tx, org, id, {
      oidcIssuer: person.issuer,
      oidcSubject: person.subject,
      ...(before ? {} : { lastSignInTimestamp: nowSeconds }),
    })
    // Without `fresh` the provider may have used its own session, which is not a recent authentication.
    return createSession(tx, administrator, origin, {
      stage: 'ACTIVE',
      authenticatedTimestamp: fresh ? nowSeconds : 0,
      before,
      continues: true,
    })
  })
}
