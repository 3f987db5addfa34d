import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** Length of the master key and of every derived key: 256 bits. */
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Derived keys, one per purpose. They never leave the process. */
export interface DerivedKeys {
  /** Authenticates paging tokens (HMAC-SHA-256). */
  readonly pagingToken: KeyObject
  /** Looks up an e-mail address without storing it in plain text (HMAC-SHA-256). */
  readonly addressHmac: KeyObject
  /** Encrypts e-mail addresses for display (AES-256-GCM, see {@link encryptText}). */
  readonly addressEncryption: KeyObject
  /** Derives the salt of a stolen credential from its address, to recognize the same credential. */
  readonly credentialSalt: KeyObject
  /** Recognizes a repeated request by its body, which may hold passwords (HMAC-SHA-256). */
  readonly requestRecognition: KeyObject
  /** Encrypts responses with a secret that are kept for repeated requests. */
  readonly keptAnswers: KeyObject
  /** Encrypts sign-in secrets of administrators: TOTP secrets and the state of OIDC sign-ins. */
  readonly consoleSecrets: KeyObject
  /** Encrypts signing secrets and custom headers of webhooks. */
  readonly webhookSecrets: KeyObject
}

/** Creates a random master key. */
export function newMasterKey(): Buffer {
  return randomBytes(keyBytes)
}

/**
 * Parses a master key: 64 hexadecimal characters, or 43 of base64url (base64 and padding are accepted).
 *
 * @returns the 32 bytes, or undefined if the text is neither
 */
export function parseMasterKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[\w+/-]{43}=?$/.test(text)) return Buffer.from(text, 'base64url')
  return undefined
}

/**
 * Derives all keys from the master key by HKDF-SHA-256 (RFC 5869), with one label per purpose.
 *
 * @throws RangeError if the master key is not 32 bytes long
 */
export function deriveKeys(master: Buffer): DerivedKeys {
  return Object.freeze({
    pagingToken: createSecretKey(derive(master, 'paging-token')),
    addressHmac: createSecretKey(derive(master, 'address-hmac')),
    addressEncryption: createSecretKey(derive(master, 'address-encryption')),
    credentialSalt: createSecretKey(derive(master, 'credential-salt')),
    requestRecognition: createSecretKey(derive(master, 'request-recognition')),
    keptAnswers: createSecretKey(derive(master, 'kept-answers')),
    consoleSecrets: createSecretKey(derive(master, 'console-secrets')),
    webhookSecrets: createSecretKey(derive(master, 'webhook-secrets')),
  })
}

/**
 * Returns the fingerprint of a master key, which does not reveal the key: 16 hexadecimal characters. The store keeps it, to
 * detect a start with another key before anything is written.
 *
 * @throws RangeError if the master key is not 32 bytes long
 */
export function keyFingerprint(master: Buffer): string {
  return derive(master, 'fingerprint').toString('hex', 0, 8)
}

/**
 * Encrypts a text with AES-256-GCM under a fresh random nonce.
 *
 * @param aad context of the text, for example organization and record ID; needed to decrypt it
 * @returns base64url of nonce (12 bytes), ciphertext, tag (16 bytes)
 */
export function encryptText(key: KeyObject, text: string, aad: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(aad))
  const body = cipher.update(text, 'utf8')
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/**
 * Decrypts a result of {@link encryptText}.
 *
 * @throws Error if the text was altered, or encrypted with another key or context
 */
export function decryptText(key: KeyObject, encrypted: string, aad: string): string {
  const bytes = Buffer.from(encrypted, 'base64url')
  const bodyEnd = bytes.length - tagBytes
  if (bodyEnd < nonceBytes) throw new Error('the encrypted text is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(aad))
  decipher.setAuthTag(bytes.subarray(bodyEnd))
  try {
    const head = decipher.update(bytes.subarray(nonceBytes, bodyEnd))
    return Buffer.concat([head, decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new Error('the text was altered, or encrypted with another key or context', { cause })
  }
}

function derive(master: Buffer, purpose: string): Buffer {
  if (master.length !== keyBytes) {
    throw new RangeError(`a master key has ${keyBytes} bytes, not ${master.length}`)
  }
  return Buffer.from(hkdfSync('sha256', master, 'muster', `muster/v1/${purpose}`, keyBytes))
}
