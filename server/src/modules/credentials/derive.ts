import { createHash, createHmac, type KeyObject, pbkdf2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { fairQueue } from '../../kernel/lib/fair-queue.ts'
import { addressHmac } from '../../kernel/lib/secrets/address-hmac.ts'
import { type DerivedKeys, encryptText } from '../../kernel/lib/secrets/secret.ts'
import type { StolenCredentialRow } from './stolen-credentials.service.ts'

const pbkdf2Async = promisify(pbkdf2)

/** PBKDF2-HMAC-SHA-256 of the password's SHA-1, truncated to 16 bytes (domain contract, section 3). */
const iterations = 100_000
const hashBytes = 16
const saltBytes = 16

export interface Credential {
  address: string
  /** Upper-case hexadecimal SHA-1 of the password. */
  sha1: string
}

type Body = { email: string; password: string } | { email: string; passwordSha1: string }

/** Returns lower-case addresses with the SHA-1 of their passwords, without duplicates. */
export function uniqueCredentials(bodies: readonly Body[]): Credential[] {
  const unique = new Map<string, Credential>()
  for (const body of bodies) {
    const address = body.email.toLowerCase()
    const sha1 =
      'password' in body ? createHash('sha1').update(body.password).digest('hex') : body.passwordSha1
    const credential = { address, sha1: sha1.toUpperCase() }
    unique.set(`${address}\n${credential.sha1}`, credential)
  }
  return [...unique.values()]
}

/** Leaves one of Node's four pool threads to files and DNS. */
const concurrency = Math.max(1, Math.min(3, availableParallelism()))

/** Fair between organizations: ten thousand credentials take minutes. */
const queue = fairQueue<number>(concurrency)

/**
 * Returns the salt of an address. All credentials of an address share it: browsers derive once per address,
 * and a repeated credential is recognized.
 */
const saltOf = (key: KeyObject, org: number, address: string): Buffer =>
  createHmac('sha256', key).update(`${org}\n${address}`).digest().subarray(0, saltBytes)

/** Derives the stored form of a credential. Takes tens of milliseconds of one core, off the main thread. */
export async function deriveRow(
  keys: DerivedKeys,
  org: number,
  id: string,
  source: string | null,
  { address, sha1 }: Credential,
): Promise<StolenCredentialRow> {
  const salt = saltOf(keys.credentialSalt, org, address)
  const hash = await queue(org, () => pbkdf2Async(sha1, salt, iterations, hashBytes, 'sha256'))
  return {
    id,
    source,
    addressHmac: addressHmac(keys.addressHmac, org, address),
    addressEncrypted: encryptText(keys.addressEncryption, address, `stolen-credential ${id}`),
    salt: salt.toString('hex'),
    iterations,
    hash: hash.toString('hex'),
  }
}
