import { ApiError } from '@muster/contract/errors'
import type { Clock } from '../../kernel/lib/clock.ts'
import { tokenBuckets } from '../../kernel/lib/token-buckets.ts'

/** Bounds the mails that administrators have sent to employees, so that nobody is flooded by a stolen session. */
export interface MailLimits {
  /** @throws ApiError rate_limited with the seconds to wait */
  take(org: number, employeeId: string): void
}

/** An employee gets 3 mails in 10 minutes at most; an organization 500 at once, and then 1 in a second. */
const perEmployee = { mails: 3, spanMs: 10 * 60_000 } as const
const perOrganization = { capacity: 500, perSecond: 1 } as const
const employeesKnown = 10_000

export function mailLimits(clock: Clock): MailLimits {
  const organizations = tokenBuckets({ ...perOrganization, clock })
  const sent = new Map<string, number[]>()
  return {
    take: (org, employeeId) => {
      const nowMs = clock.monotonicMs()
      const name = `${org} ${employeeId}`
      const lately = (sent.get(name) ?? []).filter((ms) => ms > nowMs - perEmployee.spanMs)
      const [first] = lately
      if (lately.length >= perEmployee.mails && first !== undefined)
        throw tooMany('This employee was sent several links just now.', first + perEmployee.spanMs - nowMs)
      const { allowed, retryAfterMs } = organizations.take(String(org))
      if (!allowed) throw tooMany('Many mails were sent just now.', retryAfterMs)
      sent.delete(name)
      sent.set(name, [...lately, nowMs])
      const [oldest] = sent.keys()
      if (sent.size > employeesKnown && oldest !== undefined) sent.delete(oldest)
    },
  }
}

function tooMany(what: string, waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError('rate_limited', `${what} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
