import { randomBytes } from 'node:crypto'

/** Format of an inbound `x-request-id` that is accepted (REST contract, Errors). */
const accepted = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Creates a source of request IDs: the inbound header if it is valid, otherwise a random ID of this process with a counter.
 */
export function requestIds(): (inbound: string | string[] | undefined) => string {
  const process = randomBytes(9).toString('base64url')
  let count = 0
  return (inbound) => {
    if (typeof inbound === 'string' && accepted.test(inbound)) return inbound
    count += 1
    return `${process}.${count.toString(36)}`
  }
}
