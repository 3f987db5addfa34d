import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Software authenticator with one passkey (ES256), according to the Web Authentication API. */
export interface SoftwareAuthenticator {
  /** Returns the result of `navigator.credentials.create`. */
  create(options: { challenge: string }): Record<string, unknown>
  /** Returns the result of `navigator.credentials.get`. */
  get(options: { challenge: string }): Record<string, unknown>
}

const userPresent = 0x01
const userVerified = 0x04
const attestedData = 0x40

/**
 * @param origin origin of the page: `https://muster.test`
 * @param verifiesUser true if it verifies the user, for example with a PIN
 */
export function softwareAuthenticator(
  origin: string,
  { verifiesUser = true }: { verifiesUser?: boolean } = {},
): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
  let counter = 0

  const authenticatorData = (flags: number, more = Buffer.alloc(0)): Buffer => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags | userPresent | (verifiesUser ? userVerified : 0), 0)
    counter += 1
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([rpIdHash, head, more])
  }
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const coseKey = (): Buffer => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' }) as { x?: string; y?: string }
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    // Key type EC2, algorithm ES256, curve P-256, and the point (RFC 9053).
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ])
    return Buffer.from(isoCBOR.encode(key))
  }

  const answer = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    create: ({ challenge }) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey()])
      const authData = new Uint8Array(authenticatorData(attestedData, attested))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(
          isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]),
        ).toString('base64url'),
        transports: ['internal'],
      })
    },
    get: ({ challenge }) => {
      const data = authenticatorData(0)
      const client = clientData('webauthn.get', challenge)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
      })
    },
  }
}
