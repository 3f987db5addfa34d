import type { SignInMethods, signInMethodOperations } from '@muster/contract/console/console-sign-in-methods'
import { ApiError, invalidRequest, notFound } from '@muster/contract/errors'
import { type AuditedChange, added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { type Reader, type Tx, UniqueViolationError } from '../../kernel/store/sql.ts'
import { tellPeopleChange } from '../administrators/administrator-acts.ts'
import { secondFactorsOf } from '../administrators/administrator-view.ts'
import {
  countRecoveryCodes,
  findAdministrator,
  replaceRecoveryCodes,
  updateAdministrator,
} from '../administrators/administrators.service.ts'
import { removeLinks } from '../administrators/invitations.service.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { beginSession, type FoundSession } from '../console/console-sessions.ts'
import { toldBy } from '../console/told-by.ts'
import { acceptPassword } from './chosen-password.ts'
import { signInFailed } from './enter.ts'
import { knownBrowser } from './known-browser.ts'
import { checkRegistration, registrationOptions } from './passkey-ceremony.ts'
import { insertPasskey, listPasskeys, removePasskey } from './passkeys.service.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { hashRecoveryCode, newRecoveryCode } from './secret-token.ts'
import { removeSessions, setChallenge, takeChallenge } from './sessions.service.ts'
import { newTotpSecret, sealTotpSecret, totpStep } from './totp.ts'

const passkeysMaximum = 20
const recoveryCodeCount = 10
/** Marks the secret of an authenticator app that has not been proved. */
const totpMark = 'totp '
const totpSetupSeconds = 10 * 60

async function methodsOf(db: Reader, { administrator }: FoundSession): Promise<SignInMethods> {
  const { org, id } = administrator
  const now = await findAdministrator(db, org, id)
  const passkeys = await listPasskeys(db, org, id)
  return {
    password: (now?.passwordHash ?? null) !== null,
    totp: (now?.totpSecret ?? null) !== null,
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

/** With the first second step come recovery codes; whoever is signed in elsewhere has not taken that step. */
async function afterAddition(tx: Tx, caller: FoundSession): Promise<string[] | null> {
  const { org, id } = caller.administrator
  await removeSessions(tx, org, id, caller.session.hash)
  return (await countRecoveryCodes(tx, org, id)) > 0 ? null : newRecoveryCodes(tx, caller)
}

/** With the last second step go the recovery codes. */
async function afterRemoval(tx: Tx, { administrator }: FoundSession): Promise<void> {
  const { org, id } = administrator
  const now = await findAdministrator(tx, org, id)
  if (now && (await secondFactorsOf(tx, now)).length === 0) await replaceRecoveryCodes(tx, org, id, [])
}

const passwordCheck = (parts: ConsoleParts, { caller, origin }: ConsoleCall) => {
  const { org, id, email, passwordHash } = caller.administrator
  return async (current: string | undefined): Promise<void> => {
    if (passwordHash === null) return
    const { address, nowSeconds } = origin
    const isRight = () => isPassword(current ?? '', passwordHash)
    if (!(await parts.attempts.check(`reauthenticate ${org} ${id}`, address, nowSeconds, isRight))) {
      await parts.failedSignIns.tell(origin, { org, email, method: 'PASSWORD' })
      throw signInFailed()
    }
  }
}

/** Tells of a change of how who is signed in signs in. */
const tellOwn = (tx: Tx, call: ConsoleCall, change: AuditedChange): Promise<void> =>
  tellPeopleChange(tx, call.caller.administrator.org, toldBy(call), change)

/** How an administrator signs in: all of it one's own, none of it another's. */
export function signInMethodHandlers(
  parts: ConsoleParts,
): ConsoleHandlers<keyof typeof signInMethodOperations> {
  const { db, keys, publicUrl, makeId } = parts
  const ceremonyOf = ({ caller, origin }: ConsoleCall) => ({
    ...{ db, publicUrl, session: caller.session, administrator: caller.administrator },
    nowSeconds: origin.nowSeconds,
  })

  return {
    readSignInMethods: ({ caller }) => methodsOf(db, caller),

    changePassword: async (call, { password, currentPassword }) => {
      const { administrator, session } = call.caller
      const { org, id, email } = administrator
      await passwordCheck(parts, call)(currentPassword)
      await acceptPassword(password, email, parts.leakedRange)
      const passwordHash = await hashPassword(password)
      const token = await db.inTransaction(async (tx) => {
        await updateAdministrator(tx, org, id, { passwordHash })
        await removeSessions(tx, org, id, session.hash)
        await removeLinks(tx, org, { administratorId: id })
        await tellOwn(tx, call, { name: 'password', old: email, new: `${email}: another one` })
        return beginSession(tx, administrator, call.origin, {
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
        setChallenge(tx, caller.session.hash, totpMark + sealed, origin.nowSeconds),
      )
      return { secret, uri }
    },

    confirmTotp: async (call, { code }) => {
      const { caller, origin } = call
      const { administrator, session } = caller
      const { challenge, challengeTimestamp } = session
      const late = origin.nowSeconds - (challengeTimestamp ?? 0) > totpSetupSeconds
      if (late || !challenge?.startsWith(totpMark))
        throw new ApiError('conflict', 'Begin again: the secret that was shown does not count any more.')
      const totpSecret = challenge.slice(totpMark.length)
      const totpLastStep = totpStep(keys.consoleSecrets, administrator, totpSecret, code, origin.nowSeconds)
      if (totpLastStep === undefined) {
        const message = 'must be the code that the app shows now; is the clock of the device right?'
        throw invalidRequest([{ in: 'body', name: 'code', message }])
      }
      const recoveryCodes = await db.inTransaction(async (tx) => {
        if (!(await takeChallenge(tx, session.hash, challenge)))
          throw new ApiError('conflict', 'This was confirmed already.')
        const { org, id } = administrator
        await updateAdministrator(tx, org, id, { totpSecret, totpLastStep })
        await tellOwn(tx, call, added('authenticatorApp', administrator.email))
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
        if (totpSecret !== null) await tellOwn(tx, call, removed('authenticatorApp', email))
      })
      return methodsOf(db, caller)
    },

    beginPasskey: (call) => registrationOptions(ceremonyOf(call)),

    addPasskey: async (call, { name, response }) => {
      const { caller, origin } = call
      const { org, id: administratorId } = caller.administrator
      const made = await checkRegistration(ceremonyOf(call), response)
      const recoveryCodes = await db
        .inTransaction(async (tx) => {
          if ((await listPasskeys(tx, org, administratorId)).length >= passkeysMaximum)
            throw new ApiError('conflict', `There may be ${passkeysMaximum} passkeys; remove one first.`)
          await insertPasskey(tx, {
            ...made,
            org,
            id: makeId(),
            administratorId,
            name,
            creationTimestamp: origin.nowSeconds,
            lastUsedTimestamp: null,
          })
          await tellOwn(tx, call, added('passkey', caller.administrator.email))
          return afterAddition(tx, caller)
        })
        .catch((error: unknown) => {
          if (!(error instanceof UniqueViolationError)) throw error
          throw new ApiError('conflict', 'This passkey is in use already.')
        })
      return { methods: await methodsOf(db, caller), recoveryCodes }
    },

    removePasskey: async (call, _body, id) => {
      const { caller } = call
      const { org, id: administratorId, email } = caller.administrator
      await db.inTransaction(async (tx) => {
        if (!(await removePasskey(tx, org, administratorId, id))) throw notFound()
        await afterRemoval(tx, caller)
        await tellOwn(tx, call, removed('passkey', email))
      })
      return methodsOf(db, caller)
    },

    renewRecoveryCodes: async (call) => {
      const { caller } = call
      const { email } = caller.administrator
      const recoveryCodes = await db.inTransaction(async (tx) => {
        if ((await secondFactorsOf(tx, caller.administrator)).length === 0)
          throw new ApiError('conflict', 'Recovery codes come with an authenticator app or a passkey.')
        await tellOwn(tx, call, { name: 'recoveryCodes', old: email, new: `${email}: new ones` })
        return newRecoveryCodes(tx, caller)
      })
      return { methods: await methodsOf(db, caller), recoveryCodes }
    },
  }
}
