import { ApiError } from '@muster/contract/api/errors'
import type { Clock } from '../../kernel/lib/clock.ts'
import { tokenBuckets } from '../../kernel/lib/token-buckets.ts'

/** Rate limits for mails to employees, so a stolen session cannot flood anyone. */
export interface MailLimits {
  /** @throws ApiError rate_limited with the seconds to wait */
  take(org: number, employeeId: string): void
}

/** At most 3 mails per employee in 10 minutes; per organization a burst of 500, then 1 per second. */
const perEmployee = { mails: 3, spanMs: 10 * 60_000 } as const
const perOrganization = { capacity: 500, perSecond: 1 } as const
const trackedEmployees = 10_000

export function mailLimits(clock: Clock): MailLimits {
  const organizations = tokenBuckets({ ...perOrganization, clock })
  const sent = new Map<string, number[]>()
  return {
    take: (org, employeeId) => {
      const nowMs = clock.monotonicMs()
      const name = `${org} ${employeeId}`
      const recent = (sent.get(name) ?? []).filter((ms) => ms > nowMs - perEmployee.spanMs)
      const [first] = recent
      if (recent.length >= perEmployee.mails && first !== undefined)
        throw tooMany('Several links were just sent to this employee.', first + perEmployee.spanMs - nowMs)
      const { allowed, retryAfterMs } = organizations.take(String(org))
      if (!allowed) throw tooMany('Too many e-mails were sent.', retryAfterMs)
      sent.delete(name)
      sent.set(name, [...recent, nowMs])
      const [oldest] = sent.keys()
      if (sent.size > trackedEmployees && oldest !== undefined) sent.delete(oldest)
    },
  }
}

function tooMany(reason: string, waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError('rate_limited', `${reason} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
