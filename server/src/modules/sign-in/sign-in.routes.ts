import type { sessionOperations } from '@muster/contract/console/console-session'
import { invalidRequest } from '@muster/contract/errors'
import { findOrganization } from '../../kernel/organizations/organizations.ts'
import { acceptLink, openLink } from '../administrators/accept-link.ts'
import { signInState } from '../administrators/administrator-view.ts'
import {
  type AdministratorRow,
  administratorsWithEmail,
  mostPasswordsOfAnAddress,
  takeRecoveryCode,
} from '../administrators/administrators.service.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { enter, prove, signInFailed } from './enter.ts'
import { nameOfBrowser } from './known-browser.ts'
import { authenticationOptions, isPasskeyProof } from './passkey-ceremony.ts'
import { isPassword } from './passwords.ts'
import { hashRecoveryCode } from './secret-token.ts'
import { listSessionRows, removeSession, removeSessions } from './sessions.service.ts'
import { tellSignIn } from './sign-in-audit.ts'
import { takeTotpCode } from './totp.ts'

/** So many passwords of an address are tried where no organization is named; each takes as long as the first. */
const passwordsTriedMaximum = 4

/**
 * The first administrator to whom a password belongs. As many passwords are derived whoever there is and whichever is
 * right, so that the time tells nothing of an address.
 */
async function whoseIs(
  password: string,
  known: readonly AdministratorRow[],
  derivations: number,
): Promise<AdministratorRow | undefined> {
  const withPassword = known.filter(({ passwordHash }) => passwordHash !== null)
  let whose: AdministratorRow | undefined
  for (let at = 0; at < derivations; at++) {
    const one = withPassword[at]
    if (await isPassword(password, one?.passwordHash ?? null)) whose ??= one
  }
  return whose
}

/** Signing in and out, and proving once more who one is. */
export function signInHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof sessionOperations> {
  const { db, keys, publicUrl } = parts

  const ceremonyOf = ({ caller, origin }: ConsoleCall) => ({
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

  /** As many as the address with the most needs: one, unless somebody administers several organizations. */
  const derivationsForAnAddress = async () =>
    Math.min(Math.max(await mostPasswordsOfAnAddress(db), 1), passwordsTriedMaximum)

  return {
    readSession: (call) => signInState(parts, call.found),

    signIn: async (call, { email, password, organization }) => {
      const { address, nowSeconds } = call.origin
      const everywhere = await administratorsWithEmail(db, email)
      const who = async (): Promise<AdministratorRow | undefined> => {
        const named = organization === undefined ? undefined : await findOrganization(db, organization)
        const known =
          organization === undefined ? everywhere : everywhere.filter((one) => one.org === named?.no)
        const derivations = organization === undefined ? await derivationsForAnAddress() : 1
        const found = await whoseIs(password, known, derivations)
        const org = named?.no ?? known[0]?.org
        if (!found) await parts.failedSignIns.tell(call.origin, { org, email, method: 'PASSWORD' })
        return found
      }
      // Strangers who guess lock the address for strangers, not for browsers in which its person has signed in.
      const account =
        nameOfBrowser(keys.consoleSecrets, call.browser, everywhere) ?? parts.attempts.nameOfEmail(email)
      const administrator = await parts.attempts.check(account, address, nowSeconds, who)
      if (!administrator) throw signInFailed()
      return enter(parts, call, administrator, async (tx, whole, now) => {
        // The password may have been changed while it was checked.
        if (now?.passwordHash !== administrator.passwordHash) throw signInFailed()
        if (whole) await tellSignIn(tx, now, call.origin, 'PASSWORD')
      })
    },

    signInByTotp: (call, { code }) => prove(parts, call, 'factor', 'PASSWORD', () => isTotp(call, code)),

    signInByRecoveryCode: (call, { code }) =>
      prove(parts, call, 'factor', 'PASSWORD', () => {
        const { org, id } = call.caller.administrator
        return db.inTransaction((tx) => takeRecoveryCode(tx, org, id, hashRecoveryCode(code)))
      }),

    signInPasskeyOptions: (call) => authenticationOptions(ceremonyOf(call), 'sign-in'),

    signInByPasskey: (call, { response }) =>
      prove(parts, call, 'factor', 'PASSKEY', () => isPasskeyProof(ceremonyOf(call), 'sign-in', response)),

    openLink: (call, { token }) => openLink(parts, call, token),

    acceptLink: (call, body) => acceptLink(parts, call, body),

    reauthenticate: async (call, { password, totpCode }) => {
      if (password !== undefined && totpCode !== undefined) {
        const message = 'must not be given together with the password'
        throw invalidRequest([{ in: 'body', name: 'totpCode', message }])
      }
      return prove(parts, call, 'reauthenticate', 'PASSWORD', () =>
        password === undefined
          ? isTotp(call, totpCode ?? '')
          : isPassword(password, call.caller.administrator.passwordHash),
      )
    },

    reauthenticatePasskeyOptions: (call) => authenticationOptions(ceremonyOf(call), 'reauthenticate'),

    reauthenticateByPasskey: (call, { response }) =>
      prove(parts, call, 'reauthenticate', 'PASSKEY', () =>
        isPasskeyProof(ceremonyOf(call), 'reauthenticate', response),
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
