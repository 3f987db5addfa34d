import { createHmac, type KeyObject } from 'node:crypto'
import { ApiError } from '@muster/contract/errors'
import { addressBlock } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type AttemptState, accountLimits, addressLimits, judgeAttempt } from './lockout.rules.ts'
import { failuresOf, forgetFailures, setFailures } from './sign-in-failures.service.ts'

/** Counts the attempts to prove who one is, and refuses them while an account or an address is locked. */
export interface Attempts {
  /**
   * Counts an attempt and lets it be checked. Whether the account exists makes no difference. One that was right is taken
   * back, and the account's failures are forgotten; one that could not be checked, since the check throws, is taken back
   * alone.
   *
   * @param what the account and what is tried at it
   * @param isRight anything true if the attempt was right
   * @returns what the check has answered
   * @throws ApiError rate_limited with the seconds to wait, and what the check throws
   */
  check<T>(what: string, address: string, nowSeconds: number, isRight: () => Promise<T>): Promise<T>
  /** The name under which attempts at an e-mail address are counted: it does not show the address. */
  nameOfEmail(email: string): string
  /** The name under which attempts of one whom an identity provider has named are counted; it shows neither. */
  nameOfSubject(issuer: string, subject: string): string
}

export function signInAttempts(db: Db, key: KeyObject): Attempts {
  const hidden = (text: string): string =>
    createHmac('sha256', key).update(`sign-in attempts\n${text}`).digest('base64url')
  return {
    nameOfEmail: (email) => `email ${hidden(foldCase(email))}`,
    nameOfSubject: (issuer, subject) => `subject ${hidden(`${issuer}\n${subject}`)}`,
    check: async (what, address, nowSeconds, isRight) => {
      const block = `address ${addressBlock(address)}`
      const names = [
        { name: block, limits: addressLimits },
        { name: what, limits: accountLimits },
      ]
      const { counted, waitSeconds } = await db.inTransaction(async (tx) => {
        const judged: Judged[] = []
        for (const { name, limits } of names) {
          const before = await failuresOf(tx, name)
          judged.push({ name, before, ...judgeAttempt(before, nowSeconds, limits) })
        }
        const waitSeconds = Math.max(...judged.map((one) => one.waitSeconds))
        // An attempt that is refused counts nowhere, but a lock that the clock stepped back from is moved.
        const isMoved = (one: Judged) =>
          one.waitSeconds > 0 && one.next.lastTimestamp !== one.before.lastTimestamp
        const changed = waitSeconds === 0 ? judged : judged.filter(isMoved)
        for (const { name, next } of changed) await setFailures(tx, name, next)
        return { counted: judged, waitSeconds }
      })
      if (waitSeconds > 0) throw locked(waitSeconds)
      const answer = await isRight().catch(async (error: unknown) => {
        await withdraw(db, counted)
        throw error
      })
      if (answer) await forgive(db, what, block)
      return answer
    },
  }
}

/** A right proof clears the account, and takes this one attempt off the address: others behind it may still guess. */
const forgive = (db: Db, what: string, block: string): Promise<void> =>
  db.inTransaction(async (tx) => {
    const known = await failuresOf(tx, block)
    const failures = Math.max(0, known.failures - 1)
    await setFailures(tx, block, { ...known, failures, lockedUntilTimestamp: 0 })
    await forgetFailures(tx, what)
  })

/** A name, and what was known of it from the attempt on. */
interface Counted {
  readonly name: string
  readonly next: AttemptState
}

/** A name, what was known of it, and what the rules say. */
interface Judged extends Counted {
  readonly before: AttemptState
  readonly waitSeconds: number
}

/** Takes an attempt back that was not checked, with the lock that came with it. */
const withdraw = (db: Db, counted: readonly Counted[]): Promise<void> =>
  db.inTransaction(async (tx) => {
    for (const { name, next } of counted) {
      const known = await failuresOf(tx, name)
      const itsOwn = known.lockedUntilTimestamp === next.lockedUntilTimestamp
      await setFailures(tx, name, {
        failures: Math.max(0, known.failures - 1),
        lastTimestamp: known.lastTimestamp,
        lockedUntilTimestamp: itsOwn ? 0 : known.lockedUntilTimestamp,
      })
    }
  })

const locked = (seconds: number): ApiError =>
  new ApiError('rate_limited', `Too many failed attempts. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
