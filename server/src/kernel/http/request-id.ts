import { randomBytes } from 'node:crypto'

/** What an inbound `x-request-id` must look like to be kept (REST contract, Errors). */
const kept = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Makes the source of request ids: the inbound header if it is harmless, else a name of this process
 * and a count.
 */
export function requestIds(): (inbound: string | string[] | undefined) => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return (inbound) => {
    if (typeof inbound === 'string' && kept.test(inbound)) return inbound
    count += 1
    return `${process}.${count.toString(36)}`
  }
}
