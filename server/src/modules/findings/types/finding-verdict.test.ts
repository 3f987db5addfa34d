import type { Finding } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { applyVerdict, type FindingVerdict } from './finding-verdict.ts'

const subject = { employeeId: 'ada', accountId: 'account', appType: 'ZAPIER', appId: 'zapier' }
const apply = (known: Finding | undefined, verdict: FindingVerdict | undefined, now: number) =>
  applyVerdict(known, 'WEAK_PASSWORD', subject, verdict, now, () => `id-${now}`)
const weak: FindingVerdict = { open: true, passwordId: 'p', weakPasswordReasons: ['TOO_SHORT'] }
const opened: Finding = {
  id: 'id-1',
  type: 'WEAK_PASSWORD',
  state: 'OPEN',
  ...subject,
  passwordId: 'p',
  weakPasswordReasons: ['TOO_SHORT'],
  creationTimestamp: 1,
  lastUpdatedTimestamp: 1,
}
const closed: Finding = { ...opened, state: 'RESOLVED', lastUpdatedTimestamp: 2 }

describe('applying a verdict', () => {
  test.each([
    ['creates a finding when it first opens', undefined, weak, 1, opened],
    ['creates no resolved finding', undefined, { open: false } as FindingVerdict, 1, undefined],
    ['creates no finding without a verdict', undefined, undefined, 1, undefined],
    ['keeps an open finding open', opened, weak, 5, opened],
    ['keeps a finding without a verdict', opened, undefined, 5, opened],
    ['resolves an open finding', opened, { open: false } as FindingVerdict, 2, closed],
    ['keeps a resolved finding resolved', closed, { open: false } as FindingVerdict, 5, closed],
    ['reopens a finding with the same ID', closed, weak, 7, { ...opened, lastUpdatedTimestamp: 7 }],
    [
      'changes the password without changing lastUpdatedTimestamp',
      opened,
      { open: true, passwordId: 'q', weakPasswordReasons: ['RESTRICTED_WORD'] } as FindingVerdict,
      5,
      {
        ...opened,
        passwordId: 'q',
        weakPasswordReasons: ['RESTRICTED_WORD'] as Finding['weakPasswordReasons'],
      },
    ],
  ])('%s', (_, known, verdict, now, expected) => {
    expect(apply(known, verdict, now)).toEqual(expected)
  })

  test('returns the same object if nothing changes, to avoid a write', () => {
    expect(apply(opened, weak, 5)).toBe(opened)
    expect(apply(closed, { open: false }, 5)).toBe(closed)
  })
})
