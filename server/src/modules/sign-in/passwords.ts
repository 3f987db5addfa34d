import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@muster/contract/api/errors'

/** Minimum argon2id parameters of OWASP (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const nonceBytes = 16

/** Maximum concurrent derivations, outside the main thread. One takes 19 MiB and about 40 ms. */
const concurrency = 1
/** Maximum number of queued derivations. */
const waitingMaximum = 50

let running = 0
const waiting: (() => void)[] = []

async function acquireSlot(): Promise<void> {
  if (running < concurrency) {
    running += 1
    return
  }
  if (waiting.length >= waitingMaximum) {
    throw new ApiError('rate_limited', 'Too many people are signing in. Try again in a few seconds.', {
      headers: { 'retry-after': '5' },
    })
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function releaseSlot(): void {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

async function derive(password: string, nonce: Buffer): Promise<Buffer> {
  await acquireSlot()
  try {
    return await new Promise((resolve, reject) => {
      // The same text can be typed in different Unicode forms.
      const message = Buffer.from(password.normalize('NFKC'))
      argon2('argon2id', { ...cost, message, nonce }, (error, key) => (error ? reject(error) : resolve(key)))
    })
  } finally {
    releaseSlot()
  }
}

/**
 * Returns the hash of a password with its parameters (PHC string). @throws ApiError rate_limited
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(nonceBytes)
  const key = await derive(password, nonce)
  const { memory, passes, parallelism } = cost
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(key)}`
}

const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]+)\$([\w+/]+)$/

/** Compared against when there is no password, to take the same time. */
const decoy = { nonce: randomBytes(nonceBytes), key: randomBytes(cost.tagLength) }

/**
 * Returns true if the password matches the hash. Without a hash it takes the same time and returns false.
 *
 * @throws ApiError rate_limited
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, nonce, key] = form.exec(hash ?? '') ?? []
  const expected =
    nonce === undefined || key === undefined
      ? decoy
      : { nonce: Buffer.from(nonce, 'base64'), key: Buffer.from(key, 'base64') }
  const derived = await derive(password, expected.nonce)
  return timingSafeEqual(derived, expected.key) && expected !== decoy
}
