import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@muster/contract/errors'

/** argon2id as OWASP asks of it at least (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const nonceBytes = 16

/** Derivations at the same time, in a thread beside the main one. One takes 19 MiB and about 40 ms. */
const atOnce = 1
/** Derivations that may wait for their turn. */
const waitingMaximum = 50

let running = 0
const waiting: (() => void)[] = []

async function takeTurn(): Promise<void> {
  if (running < atOnce) {
    running += 1
    return
  }
  if (waiting.length >= waitingMaximum) {
    throw new ApiError('rate_limited', 'Too many people sign in just now. Try again in a few seconds.', {
      headers: { 'retry-after': '5' },
    })
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function endTurn(): void {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

async function derive(password: string, nonce: Buffer): Promise<Buffer> {
  await takeTurn()
  try {
    return await new Promise((resolve, reject) => {
      // The same text may be typed in several forms of Unicode.
      const message = Buffer.from(password.normalize('NFKC'))
      argon2('argon2id', { ...cost, message, nonce }, (error, key) => (error ? reject(error) : resolve(key)))
    })
  } finally {
    endTurn()
  }
}

/** The hash of a password in the usual form, with its parameters. @throws ApiError rate_limited */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(nonceBytes)
  const key = await derive(password, nonce)
  const { memory, passes, parallelism } = cost
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(key)}`
}

const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]+)\$([\w+/]+)$/

/** What is compared with where there is no password: the work is the same. */
const nobodys = { nonce: randomBytes(nonceBytes), key: randomBytes(cost.tagLength) }

/**
 * Whether a password belongs to a hash. Without a hash it never does, and takes as long.
 *
 * @throws ApiError rate_limited
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, nonce, key] = form.exec(hash ?? '') ?? []
  const kept =
    nonce === undefined || key === undefined
      ? nobodys
      : { nonce: Buffer.from(nonce, 'base64'), key: Buffer.from(key, 'base64') }
  const derived = await derive(password, kept.nonce)
  return timingSafeEqual(derived, kept.key) && kept !== nobodys
}
