import { ApiError, invalidRequest, notFound } from '@muster/contract/api/errors'
import type { SignInMethods, signInMethodOperations } from '@muster/contract/console/console-sign-in-methods'
import { type AuditedChange, added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { type Reader, type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'
import { recordAdministratorChange } from '../administrators/administrator-actions.ts'
import { secondFactorsOf } from '../administrators/administrator-view.ts'
import {
  countRecoveryCodes,
  findAdministrator,
  replaceRecoveryCodes,
  updateAdministrator,
} from '../administrators/administrators.service.ts'
import { removeLinks } from '../administrators/invitations.service.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { createSession, type FoundSession } from '../console/console-sessions.ts'
import { knownBrowser } from './known-browser.ts'
import { insertPasskey, listPasskeys, removePasskey } from './passkeys.service.ts'
import { requireAcceptablePassword } from './password-policy.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { hashRecoveryCode, newRecoveryCode } from './secret-token.ts'
import { removeSessions, setChallenge, takeChallenge } from './sessions.service.ts'
import { signInFailed } from './start-session.ts'
import { newTotpSecret, sealTotpSecret, totpStep } from './totp.ts'
import { registrationOptions, verifyRegistration, type WebAuthnContext } from './webauthn.ts'

const passkeysMaximum = 20
const recoveryCodeCount = 10
/** Prefix of a challenge that holds the unconfirmed secret of an authenticator app. */
const totpPrefix = 'totp '
const totpSetupSeconds = 10 * 60

async function methodsOf(db: Reader, { administrator }: FoundSession): Promise<SignInMethods> {
  const { org, id } = administrator
  const current = await findAdministrator(db, org, id)
  const passkeys = await listPasskeys(db, org, id)
  return {
    password: (current?.passwordHash ?? null) !== null,
    totp: (current?.totpSecret ?? null) !== null,
    passkeys: passkeys.map((row) => ({
      id: row.id,
      name: row.name,
      creationTimestamp: row.creationTimestamp,
      lastUsedTimestamp: row.lastUsedTimestamp,
    })),
    recoveryCodesLeft: await countRecoveryCodes(db, org, id),
  }
}

async function newRecoveryCodes(tx: Tx, { administrator }: FoundSession): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
  await replaceRecoveryCodes(tx, administrator.org, administrator.id, codes.map(hashRecoveryCode))
  return codes
}

/**
 * Ends the other sessions, which never passed the new second factor. The first second factor creates recovery
 * codes.
 */
async function afterAddition(tx: Tx, caller: FoundSession): Promise<string[] | null> {
  const { org, id } = caller.administrator
  await removeSessions(tx, org, id, caller.session.hash)
  return (await countRecoveryCodes(tx, org, id)) > 0 ? null : newRecoveryCodes(tx, caller)
}

/** Deletes the recovery codes together with the last second factor. */
async function afterRemoval(tx: Tx, { administrator }: FoundSession): Promise<void> {
  const { org, id } = administrator
  const current = await findAdministrator(tx, org, id)
  if (current && (await secondFactorsOf(tx, current)).length === 0)
    await replaceRecoveryCodes(tx, org, id, [])
}

const passwordCheck = (parts: ConsoleParts, { caller, origin }: ConsoleCall) => {
  const { org, id, email, passwordHash } = caller.administrator
  return async (entered: string | undefined): Promise<void> => {
    if (passwordHash === null) return
    const { address, nowSeconds } = origin
    const verify = () => isPassword(entered ?? '', passwordHash)
    if (!(await parts.attempts.check(`reauthenticate ${org} ${id}`, address, nowSeconds, verify))) {
      await parts.failedSignIns.record(origin, { org, email, method: 'PASSWORD' })
      throw signInFailed('The current password is wrong.')
    }
  }
}

/** Records a change of the caller's own sign-in methods. */
const recordOwnChange = (tx: Tx, call: ConsoleCall, change: AuditedChange): Promise<void> =>
  recordAdministratorChange(tx, call.caller.administrator.org, auditContext(call), change)

/** Handlers for the caller's own sign-in methods. */
export function signInMethodHandlers(
  parts: ConsoleParts,
): ConsoleHandlers<keyof typeof signInMethodOperations> {
  const { db, keys, publicUrl, makeId } = parts
  const contextOf = ({ caller, origin }: ConsoleCall): WebAuthnContext => ({
    db,
    publicUrl,
    session: caller.session,
    administrator: caller.administrator,
    nowSeconds: origin.nowSeconds,
  })

  return {
    readSignInMethods: ({ caller }) => methodsOf(db, caller),

    changePassword: async (call, { password, currentPassword }) => {
      const { administrator, session } = call.caller
      const { org, id, email } = administrator
      await passwordCheck(parts, call)(currentPassword)
      await requireAcceptablePassword(password, email, parts.leakedRange)
      const passwordHash = await hashPassword(password)
      const token = await db.inTransaction(async (tx) => {
        await updateAdministrator(tx, org, id, { passwordHash })
        await removeSessions(tx, org, id, session.hash)
        await removeLinks(tx, org, { administratorId: id })
        await recordOwnChange(tx, call, { name: 'password', old: email, new: `${email}: changed` })
        return createSession(tx, administrator, call.origin, {
          stage: 'ACTIVE',
          authenticatedTimestamp: session.authenticatedTimestamp,
          before: session,
          continues: true,
        })
      })
      call.setSession(token)
      call.setBrowser(knownBrowser(keys.consoleSecrets, { org, id, passwordHash }))
      return {}
    },

    beginTotp: async ({ caller, origin }) => {
      const { secret, uri } = newTotpSecret(caller.administrator.email)
      const sealed = sealTotpSecret(keys.consoleSecrets, caller.administrator, secret)
      await db.inTransaction((tx) =>
        setChallenge(tx, caller.session.hash, totpPrefix + sealed, origin.nowSeconds),
      )
      return { secret, uri }
    },

    confirmTotp: async (call, { code }) => {
      const { caller, origin } = call
      const { administrator, session } = caller
      const { challenge, challengeTimestamp } = session
      const late = origin.nowSeconds - (challengeTimestamp ?? 0) > totpSetupSeconds
      if (late || !challenge?.startsWith(totpPrefix))
        throw new ApiError('conflict', 'This setup has expired. Start again to get a new secret.')
      const totpSecret = challenge.slice(totpPrefix.length)
      const totpLastStep = totpStep(keys.consoleSecrets, administrator, totpSecret, code, origin.nowSeconds)
      if (totpLastStep === undefined) {
        const message = "must be the current code of the app; check the clock of the app's device"
        throw invalidRequest([{ in: 'body', name: 'code', message }])
      }
      const recoveryCodes = await db.inTransaction(async (tx) => {
        if (!(await takeChallenge(tx, session.hash, challenge)))
          throw new ApiError('conflict', 'The authenticator app is already set up.')
        const { org, id } = administrator
        await updateAdministrator(tx, org, id, { totpSecret, totpLastStep })
        await recordOwnChange(tx, call, added('authenticatorApp', administrator.email))
        return afterAddition(tx, caller)
      })
      return { methods: await methodsOf(db, caller), recoveryCodes }
    },

    removeTotp: async (call) => {
      const { caller } = call
      const { org, id, email, totpSecret } = caller.administrator
      await db.inTransaction(async (tx) => {
        await updateAdministrator(tx, org, id, { totpSecret: null, totpLastStep: null })
        await afterRemoval(tx, caller)
        if (totpSecret !== null) await recordOwnChange(tx, call, removed('authenticatorApp', email))
      })
      return methodsOf(db, caller)
    },

    beginPasskey: (call) => registrationOptions(contextOf(call)),

    addPasskey: async (call, { name, response }) => {
      const { caller, origin } = call
      const { org, id: administratorId } = caller.administrator
      const registered = await verifyRegistration(contextOf(call), response)
      const recoveryCodes = await db
        .inTransaction(async (tx) => {
          if ((await listPasskeys(tx, org, administratorId)).length >= passkeysMaximum)
            throw new ApiError('conflict', `The maximum is ${passkeysMaximum} passkeys. Remove one first.`)
          await insertPasskey(tx, {
            ...registered,
            org,
            id: makeId(),
            administratorId,
            name,
            creationTimestamp: origin.nowSeconds,
            lastUsedTimestamp: null,
          })
          await recordOwnChange(tx, call, added('passkey', caller.administrator.email))
          return afterAddition(tx, caller)
        })
        .catch((error: unknown) => {
          if (!(error instanceof UniqueViolationError)) throw error
          throw new ApiError('conflict', 'This passkey is already registered.')
        })
      return { methods: await methodsOf(db, caller), recoveryCodes }
    },

    removePasskey: async (call, _body, id) => {
      const { caller } = call
      const { org, id: administratorId, email } = caller.administrator
      await db.inTransaction(async (tx) => {
        if (!(await removePasskey(tx, org, administratorId, id))) throw notFound()
        await afterRemoval(tx, caller)
        await recordOwnChange(tx, call, removed('passkey', email))
      })
      return methodsOf(db, caller)
    },

    renewRecoveryCodes: async (call) => {
      const { caller } = call
      const { email } = caller.administrator
      const recoveryCodes = await db.inTransaction(async (tx) => {
        if ((await secondFactorsOf(tx, caller.administrator)).length === 0)
          throw new ApiError(
            'conflict',
            'Recovery codes need an authenticator app or a passkey. Add one first.',
          )
        await recordOwnChange(tx, call, { name: 'recoveryCodes', old: email, new: `${email}: replaced` })
        return newRecoveryCodes(tx, caller)
      })
      return { methods: await methodsOf(db, caller), recoveryCodes }
    },
  }
}
