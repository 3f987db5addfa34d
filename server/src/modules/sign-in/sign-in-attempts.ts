import { createHmac, type KeyObject } from 'node:crypto'
import { ApiError } from '@muster/contract/api/errors'
import { addressBlock } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { type AttemptState, accountLimits, addressLimits, evaluateAttempt } from './lockout.rules.ts'
import { deleteFailures, readFailures, setFailures } from './sign-in-failures.service.ts'

/** Rate limiter for authentication attempts, per account and per source address. */
export interface SignInAttempts {
  /**
   * Counts an attempt as failed and runs the check, unless the account or the address is locked. Behaves the same
   * whether or not the account exists. After a success the attempt is uncounted and the account's failures are cleared.
   * If the check throws, only this attempt is uncounted.
   *
   * @param account key of the account, with the kind of attempt
   * @param check returns a truthy value if the attempt is valid
   * @returns the result of `check`
   * @throws ApiError rate_limited with the seconds to wait, or the error of `check`
   */
  check<T>(account: string, address: string, nowSeconds: number, check: () => Promise<T>): Promise<T>
  /** Returns the key under which attempts for an e-mail address are counted. The address is hashed. */
  emailKeyOf(email: string): string
  /**
   * Returns the key under which attempts for a subject of an identity provider are counted. Both parts are
   * hashed.
   */
  subjectKeyOf(issuer: string, subject: string): string
}

export function createSignInAttempts(db: Db, key: KeyObject): SignInAttempts {
  const hidden = (text: string): string =>
    createHmac('sha256', key).update(`sign-in attempts\n${text}`).digest('base64url')
  return {
    emailKeyOf: (email) => `email ${hidden(foldCase(email))}`,
    subjectKeyOf: (issuer, subject) => `subject ${hidden(`${issuer}\n${subject}`)}`,
    check: async (account, address, nowSeconds, check) => {
      const addressKey = `address ${addressBlock(address)}`
      const names = [
        { name: addressKey, limits: addressLimits },
        { name: account, limits: accountLimits },
      ]
      const { counted, waitSeconds } = await db.inTransaction(async (tx) => {
        const evaluated: Evaluated[] = []
        for (const { name, limits } of names) {
          const before = await readFailures(tx, name)
          evaluated.push({ name, before, ...evaluateAttempt(before, nowSeconds, limits) })
        }
        const waitSeconds = Math.max(...evaluated.map((one) => one.waitSeconds))
        // A refused attempt is not counted, but a lock is moved if the clock was set back.
        const isMoved = (one: Evaluated) =>
          one.waitSeconds > 0 && one.next.lastTimestamp !== one.before.lastTimestamp
        const changed = waitSeconds === 0 ? evaluated : evaluated.filter(isMoved)
        for (const { name, next } of changed) await setFailures(tx, name, next)
        return { counted: evaluated, waitSeconds }
      })
      if (waitSeconds > 0) throw locked(waitSeconds)
      const result = await check().catch(async (error: unknown) => {
        await uncount(db, counted)
        throw error
      })
      if (result) await recordSuccess(db, account, addressKey)
      return result
    },
  }
}

/**
 * Clears the failures of the account and uncounts only this attempt for the address: other clients behind the same
 * address may still be guessing.
 */
const recordSuccess = (db: Db, account: string, addressKey: string): Promise<void> =>
  db.inTransaction(async (tx) => {
    const known = await readFailures(tx, addressKey)
    const failures = Math.max(0, known.failures - 1)
    await setFailures(tx, addressKey, { ...known, failures, lockedUntilTimestamp: 0 })
    await deleteFailures(tx, account)
  })

/** Key of a counter, and its state after the attempt was counted. */
interface Counted {
  readonly name: string
  readonly next: AttemptState
}

/** Counted attempt, and the decision about it. */
interface Evaluated extends Counted {
  readonly before: AttemptState
  readonly waitSeconds: number
}

/** Uncounts an attempt that was not checked, and removes the lock that it caused. */
const uncount = (db: Db, counted: readonly Counted[]): Promise<void> =>
  db.inTransaction(async (tx) => {
    for (const { name, next } of counted) {
      const known = await readFailures(tx, name)
      const lockIsOurs = known.lockedUntilTimestamp === next.lockedUntilTimestamp
      await setFailures(tx, name, {
        failures: Math.max(0, known.failures - 1),
        lastTimestamp: known.lastTimestamp,
        lockedUntilTimestamp: lockIsOurs ? 0 : known.lockedUntilTimestamp,
      })
    }
  })

const locked = (seconds: number): ApiError =>
  new ApiError('rate_limited', `Too many failed attempts. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
