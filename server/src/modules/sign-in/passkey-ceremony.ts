import { invalidRequest } from '@muster/contract/errors'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Db } from '../../kernel/store/sql.ts'
import type { AdministratorRow } from '../administrators/administrators.service.ts'
import { listPasskeys, type PasskeyRow, touchPasskey } from './passkeys.service.ts'
import { type SessionRow, setChallenge, takeChallenge } from './sessions.service.ts'

/** Loaded when somebody makes or proves a passkey: it brings hundreds of files, and many servers never see one. */
const webAuthn = () => import('@simplewebauthn/server')

/**
 * Signature algorithms of passkeys (COSE: EdDSA, ES256, RS256), those that the library takes by default. It is told them,
 * because it otherwise asks Node for algorithms that are experimental, and Node prints a warning for each.
 */
const supportedAlgorithmIDs = [-8, -7, -257]

/** What a challenge is for: one for signing in cannot be used to add a passkey. */
type Purpose = 'create' | 'sign-in' | 'reauthenticate'

/** So long a browser may take to answer. */
const challengeSeconds = 5 * 60

/** What a ceremony is about. */
export interface Ceremony {
  readonly db: Db
  readonly publicUrl: string
  readonly session: SessionRow
  readonly administrator: AdministratorRow
  readonly nowSeconds: number
}

const hostOf = (publicUrl: string): string => new URL(publicUrl).hostname

const transportsOf = ({ transports }: PasskeyRow): string[] =>
  transports === '' ? [] : transports.split(',')

const keep = ({ db, session, nowSeconds }: Ceremony, purpose: Purpose, challenge: string): Promise<void> =>
  db.inTransaction((tx) => setChallenge(tx, session.hash, `${purpose} ${challenge}`, nowSeconds))

/** The challenge of this session for this purpose, which is used up by being asked for; undefined if there is none. */
async function take({ db, session, nowSeconds }: Ceremony, purpose: Purpose): Promise<string | undefined> {
  const { hash, challenge, challengeTimestamp } = session
  if (challenge === null || !challenge.startsWith(`${purpose} `)) return undefined
  const taken = await db.inTransaction((tx) => takeChallenge(tx, hash, challenge))
  const late = nowSeconds - (challengeTimestamp ?? 0) > challengeSeconds
  return taken && !late ? challenge.slice(purpose.length + 1) : undefined
}

/** What the browser needs to make a passkey. */
export async function registrationOptions(ceremony: Ceremony): Promise<Record<string, unknown>> {
  const { db, publicUrl, administrator } = ceremony
  const known = await listPasskeys(db, administrator.org, administrator.id)
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Muster',
    rpID: hostOf(publicUrl),
    userName: administrator.email,
    userDisplayName: administrator.name,
    userID: new TextEncoder().encode(administrator.id),
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: known.map((passkey) => ({
      id: passkey.credentialId,
      transports: transportsOf(passkey),
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  await keep(ceremony, 'create', options.challenge)
  return { ...options }
}

/** The passkey that a browser has made. @throws ApiError invalid_request */
export async function checkRegistration(
  ceremony: Ceremony,
  response: Record<string, unknown>,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const expectedChallenge = await take(ceremony, 'create')
  const { verifyRegistrationResponse } = await webAuthn()
  const verified =
    expectedChallenge === undefined
      ? undefined
      : await verifyRegistrationResponse({
          response: response as unknown as RegistrationResponseJSON,
          expectedChallenge,
          expectedOrigin: ceremony.publicUrl,
          expectedRPID: hostOf(ceremony.publicUrl),
          requireUserVerification: false,
          supportedAlgorithmIDs,
        }).catch(() => undefined)
  if (!verified?.verified) {
    const message = 'must be what the browser answered to the options that were asked for last'
    throw invalidRequest([{ in: 'body', name: 'response', message }])
  }
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  // It is what the browser has sent: nothing has checked it.
  const named: readonly unknown[] = Array.isArray(transports) ? transports : []
  const plain = named
    .filter((transport) => typeof transport === 'string' && /^[a-z-]{1,20}$/.test(transport))
    .slice(0, 8)
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: plain.join(','),
  }
}

/** What the browser needs to prove a passkey. */
export async function authenticationOptions(
  ceremony: Ceremony,
  purpose: 'sign-in' | 'reauthenticate',
): Promise<Record<string, unknown>> {
  const { db, publicUrl, administrator } = ceremony
  const known = await listPasskeys(db, administrator.org, administrator.id)
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: hostOf(publicUrl),
    allowCredentials: known.map((passkey) => ({
      id: passkey.credentialId,
      transports: transportsOf(passkey),
    })),
    userVerification: purpose === 'sign-in' ? 'preferred' : 'required',
  })
  await keep(ceremony, purpose, options.challenge)
  return { ...options }
}

/**
 * Whether the browser has proved a passkey of the administrator. As a second step the passkey need only be there; alone
 * it must also have asked for the person.
 */
export async function isPasskeyProof(
  ceremony: Ceremony,
  purpose: 'sign-in' | 'reauthenticate',
  response: Record<string, unknown>,
): Promise<boolean> {
  const { db, publicUrl, administrator, nowSeconds } = ceremony
  const expectedChallenge = await take(ceremony, purpose)
  const known = await listPasskeys(db, administrator.org, administrator.id)
  const passkey = known.find(({ credentialId }) => credentialId === response.id)
  if (expectedChallenge === undefined || !passkey) return false
  const { verifyAuthenticationResponse } = await webAuthn()
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: publicUrl,
    expectedRPID: hostOf(publicUrl),
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: purpose === 'reauthenticate',
  }).catch(() => undefined)
  if (!verified?.verified) return false
  const { newCounter } = verified.authenticationInfo
  await db.inTransaction((tx) => touchPasskey(tx, passkey, newCounter, nowSeconds))
  return true
}
