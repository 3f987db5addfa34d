import { invalidRequest } from '@muster/contract/api/errors'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Db } from '../../kernel/store/sql.ts'
import type { AdministratorRow } from '../administrators/administrators.service.ts'
import { listPasskeys, type PasskeyRow, touchPasskey } from './passkeys.service.ts'
import { type SessionRow, setChallenge, takeChallenge } from './sessions.service.ts'

/** Loaded on first use: it consists of hundreds of files, and many deployments have no passkeys. */
const loadLibrary = () => import('@simplewebauthn/server')

/**
 * Signature algorithms of passkeys (COSE: EdDSA, ES256, RS256), the defaults of the library. Passed explicitly: the
 * library otherwise probes Node for experimental algorithms, and Node prints a warning for each.
 */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Purpose of a challenge. A challenge issued for signing in cannot be used to add a passkey. */
type Purpose = 'create' | 'sign-in' | 'reauthenticate'

/** Time in which the browser must respond to a challenge. */
const challengeSeconds = 5 * 60

/** Context of a registration or an authentication. */
export interface WebAuthnContext {
  readonly db: Db
  readonly publicUrl: string
  readonly session: SessionRow
  readonly administrator: AdministratorRow
  readonly nowSeconds: number
}

const relyingPartyId = (publicUrl: string): string => new URL(publicUrl).hostname

const transportsOf = ({ transports }: PasskeyRow): string[] =>
  transports === '' ? [] : transports.split(',')

const storeChallenge = (
  { db, session, nowSeconds }: WebAuthnContext,
  purpose: Purpose,
  challenge: string,
): Promise<void> =>
  db.inTransaction((tx) => setChallenge(tx, session.hash, `${purpose} ${challenge}`, nowSeconds))

/** Consumes the challenge of this session for a purpose; undefined if there is none. */
async function consumeChallenge(
  { db, session, nowSeconds }: WebAuthnContext,
  purpose: Purpose,
): Promise<string | undefined> {
  const { hash, challenge, challengeTimestamp } = session
  if (challenge === null || !challenge.startsWith(`${purpose} `)) return undefined
  const taken = await db.inTransaction((tx) => takeChallenge(tx, hash, challenge))
  const late = nowSeconds - (challengeTimestamp ?? 0) > challengeSeconds
  return taken && !late ? challenge.slice(purpose.length + 1) : undefined
}

/** Returns the options for creating a passkey. */
export async function registrationOptions(context: WebAuthnContext): Promise<Record<string, unknown>> {
  const { db, publicUrl, administrator } = context
  const known = await listPasskeys(db, administrator.org, administrator.id)
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: 'Muster',
    rpID: relyingPartyId(publicUrl),
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
  await storeChallenge(context, 'create', options.challenge)
  return { ...options }
}

/**
 * Verifies the response to the registration options. @throws ApiError invalid_request
 */
export async function verifyRegistration(
  context: WebAuthnContext,
  response: Record<string, unknown>,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const expectedChallenge = await consumeChallenge(context, 'create')
  const { verifyRegistrationResponse } = await loadLibrary()
  const verified =
    expectedChallenge === undefined
      ? undefined
      : await verifyRegistrationResponse({
          response: response as unknown as RegistrationResponseJSON,
          expectedChallenge,
          expectedOrigin: context.publicUrl,
          expectedRPID: relyingPartyId(context.publicUrl),
          requireUserVerification: false,
          supportedAlgorithmIDs,
        }).catch(() => undefined)
  if (!verified?.verified) {
    const message = "must be the browser's response to the most recently requested options"
    throw invalidRequest([{ in: 'body', name: 'response', message }])
  }
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  // Sent by the browser and not verified by the library.
  const sent: readonly unknown[] = Array.isArray(transports) ? transports : []
  const plain = sent
    .filter((transport) => typeof transport === 'string' && /^[a-z-]{1,20}$/.test(transport))
    .slice(0, 8)
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: plain.join(','),
  }
}

/** Returns the options for authenticating with a passkey. */
export async function authenticationOptions(
  context: WebAuthnContext,
  purpose: 'sign-in' | 'reauthenticate',
): Promise<Record<string, unknown>> {
  const { db, publicUrl, administrator } = context
  const known = await listPasskeys(db, administrator.org, administrator.id)
  const { generateAuthenticationOptions } = await loadLibrary()
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyId(publicUrl),
    allowCredentials: known.map((passkey) => ({
      id: passkey.credentialId,
      transports: transportsOf(passkey),
    })),
    userVerification: purpose === 'sign-in' ? 'preferred' : 'required',
  })
  await storeChallenge(context, purpose, options.challenge)
  return { ...options }
}

/**
 * Verifies an authentication with a passkey of the administrator. As a second factor, presence is enough; for
 * re-authentication on its own, the authenticator must also verify the user.
 */
export async function verifyPasskey(
  context: WebAuthnContext,
  purpose: 'sign-in' | 'reauthenticate',
  response: Record<string, unknown>,
): Promise<boolean> {
  const { db, publicUrl, administrator, nowSeconds } = context
  const expectedChallenge = await consumeChallenge(context, purpose)
  const known = await listPasskeys(db, administrator.org, administrator.id)
  const passkey = known.find(({ credentialId }) => credentialId === response.id)
  if (expectedChallenge === undefined || !passkey) return false
  const { verifyAuthenticationResponse } = await loadLibrary()
  const verified = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: publicUrl,
    expectedRPID: relyingPartyId(publicUrl),
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
