import { createHmac, type KeyObject } from 'node:crypto'
import { ApiError } from '@muster/contract/errors'
import { addressBlock } from '../http/rate-limit-address.ts'
import { foldCase } from '../lib/fold-case.ts'
import { failuresOf, forgetFailures, setFailures } from '../storage/sign-in-failures.ts'
import type { Db } from '../storage/sql.ts'
import { accountLimits, addressLimits, judgeAttempt } from './lockout.rules.ts'

/** An attempt that has been counted. */
export interface Attempt {
  /** Takes it back, for it was right: the account's failures are forgotten. */
  succeeded(): Promise<void>
}

/** Counts the attempts to prove who one is, and refuses them while an account or an address is locked. */
export interface Attempts {
  /**
   * Counts an attempt. Whether the account exists makes no difference.
   *
   * @param what the account and what is tried at it
   * @throws ApiError rate_limited with the seconds to wait
   */
  begin(what: string, address: string, nowSeconds: number): Promise<Attempt>
  /** The name under which attempts at an e-mail address are counted: it does not show the address. */
  nameOfEmail(email: string): string
}

export function signInAttempts(db: Db, key: KeyObject): Attempts {
  return {
    nameOfEmail: (email) => {
      const hmac = createHmac('sha256', key).update(`sign-in attempts\n${foldCase(email)}`)
      return `email ${hmac.digest('base64url')}`
    },
    begin: async (what, address, nowSeconds) => {
      const block = `address ${addressBlock(address)}`
      const names = [
        { name: block, limits: addressLimits },
        { name: what, limits: accountLimits },
      ]
      const waitSeconds = await db.inTransaction(async (tx) => {
        const judged = []
        for (const { name, limits } of names)
          judged.push({ name, ...judgeAttempt(await failuresOf(tx, name), nowSeconds, limits) })
        const wait = Math.max(0, ...judged.map((one) => ('waitSeconds' in one ? one.waitSeconds : 0)))
        if (wait > 0) return wait
        for (const one of judged) if ('next' in one) await setFailures(tx, one.name, one.next)
        return 0
      })
      if (waitSeconds > 0) throw locked(waitSeconds)
      return { succeeded: () => forgive(db, what, block) }
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

const locked = (seconds: number): ApiError =>
  new ApiError('rate_limited', `Too many failed attempts. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
