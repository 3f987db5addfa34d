import { invalidRequest } from '@muster/contract/api/errors'
import type { sessionOperations } from '@muster/contract/console/console-session'
import { findOrganization } from '../../kernel/organizations/organizations.ts'
import { signInState } from '../administrators/administrator-view.ts'
import {
  type AdministratorRow,
  administratorsWithEmail,
  maximumPasswordsPerEmail,
  takeRecoveryCode,
} from '../administrators/administrators.service.ts'
import { acceptLink, openLink } from '../administrators/redeem-link.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { browserKeyOf } from './known-browser.ts'
import { isPassword } from './passwords.ts'
import { hashRecoveryCode } from './secret-token.ts'
import { listSessionRows, removeSession, removeSessions } from './sessions.service.ts'
import { recordSignIn } from './sign-in-audit.ts'
import { signInFailed, startSession, verifyFactor } from './start-session.ts'
import { takeTotpCode } from './totp.ts'
import { authenticationOptions, verifyPasskey, type WebAuthnContext } from './webauthn.ts'

/** Maximum number of passwords checked for an address if no organization is given. Each check takes equally long. */
const passwordsTriedMaximum = 4

/**
 * Finds the first administrator with this password. Always performs the same number of derivations, so the duration
 * does not reveal whether the address is known.
 */
async function findByPassword(
  password: string,
  known: readonly AdministratorRow[],
  derivations: number,
): Promise<AdministratorRow | undefined> {
  const withPassword = known.filter(({ passwordHash }) => passwordHash !== null)
  let found: AdministratorRow | undefined
  for (let at = 0; at < derivations; at++) {
    const one = withPassword[at]
    if (await isPassword(password, one?.passwordHash ?? null)) found ??= one
  }
  return found
}

/** Handlers for signing in and out and for re-authentication. */
export function signInHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof sessionOperations> {
  const { db, keys, publicUrl } = parts

  const contextOf = ({ caller, origin }: ConsoleCall): WebAuthnContext => ({
    db,
    publicUrl,
    session: caller.session,
    administrator: caller.administrator,
    nowSeconds: origin.nowSeconds,
  })
  const isTotp = ({ caller, origin }: ConsoleCall, code: string) =>
    db.inTransaction((tx) =>
      takeTotpCode(tx, keys.consoleSecrets, caller.administrator, code, origin.nowSeconds),
    )

  /**
   * Returns the number of derivations: the maximum over all addresses, 1 unless somebody administers several
   * organizations.
   */
  const derivationsForAnAddress = async () =>
    Math.min(Math.max(await maximumPasswordsPerEmail(db), 1), passwordsTriedMaximum)

  return {
    readSession: (call) => signInState(parts, call.found),

    signIn: async (call, { email, password, organization }) => {
      const { address, nowSeconds } = call.origin
      const everywhere = await administratorsWithEmail(db, email)
      const findAdministrator = async (): Promise<AdministratorRow | undefined> => {
        const named = organization === undefined ? undefined : await findOrganization(db, organization)
        const known =
          organization === undefined ? everywhere : everywhere.filter((one) => one.org === named?.no)
        const derivations = organization === undefined ? await derivationsForAnAddress() : 1
        const found = await findByPassword(password, known, derivations)
        const org = named?.no ?? known[0]?.org
        if (!found) await parts.failedSignIns.record(call.origin, { org, email, method: 'PASSWORD' })
        return found
      }
      // Failed guesses from unknown browsers must not lock the account for browsers in which its owner has signed in.
      const account =
        browserKeyOf(keys.consoleSecrets, call.browser, everywhere) ?? parts.attempts.emailKeyOf(email)
      const administrator = await parts.attempts.check(account, address, nowSeconds, findAdministrator)
      if (!administrator) throw signInFailed()
      return startSession(parts, call, administrator, async (tx, isFull, current) => {
        // The password may have been changed during the check.
        if (current?.passwordHash !== administrator.passwordHash) throw signInFailed()
        if (isFull) await recordSignIn(tx, current, call.origin, 'PASSWORD')
      })
    },

    signInByTotp: (call, { code }) =>
      verifyFactor(parts, call, 'factor', 'PASSWORD', () => isTotp(call, code)),

    signInByRecoveryCode: (call, { code }) =>
      verifyFactor(parts, call, 'factor', 'PASSWORD', () => {
        const { org, id } = call.caller.administrator
        return db.inTransaction((tx) => takeRecoveryCode(tx, org, id, hashRecoveryCode(code)))
      }),

    signInPasskeyOptions: (call) => authenticationOptions(contextOf(call), 'sign-in'),

    signInByPasskey: (call, { response }) =>
      verifyFactor(parts, call, 'factor', 'PASSKEY', () =>
        verifyPasskey(contextOf(call), 'sign-in', response),
      ),

    openLink: (call, { token }) => openLink(parts, call, token),

    acceptLink: (call, body) => acceptLink(parts, call, body),

    reauthenticate: async (call, { password, totpCode }) => {
      if (password !== undefined && totpCode !== undefined) {
        const message = 'must not be given together with the password'
        throw invalidRequest([{ in: 'body', name: 'totpCode', message }])
      }
      return verifyFactor(parts, call, 'reauthenticate', 'PASSWORD', () =>
        password === undefined
          ? isTotp(call, totpCode ?? '')
          : isPassword(password, call.caller.administrator.passwordHash),
      )
    },

    reauthenticatePasskeyOptions: (call) => authenticationOptions(contextOf(call), 'reauthenticate'),

    reauthenticateByPasskey: (call, { response }) =>
      verifyFactor(parts, call, 'reauthenticate', 'PASSKEY', () =>
        verifyPasskey(contextOf(call), 'reauthenticate', response),
      ),

    listSessions: async ({ caller }) => {
      const rows = await listSessionRows(db, caller.session.org, caller.administrator.id)
      const sessions = rows
        .filter(({ stage }) => stage === 'ACTIVE')
        .map(({ hash, creationTimestamp, lastSeenTimestamp, sourceIpAddress, userAgent }) => ({
          id: hash.slice(0, 8),
          current: hash === caller.session.hash,
          creationTimestamp,
          lastSeenTimestamp,
          sourceIpAddress,
          userAgent,
        }))
      return { sessions: sessions.slice(0, 1000) }
    },

    signOut: async (call) => {
      const { found } = call
      if (found) await db.inTransaction((tx) => removeSession(tx, found.session.hash))
      call.setSession(undefined)
      return {}
    },

    signOutEverywhere: async (call) => {
      const { org, id } = call.caller.administrator
      await db.inTransaction((tx) => removeSessions(tx, org, id))
      call.setSession(undefined)
      return {}
    },
  }
}
