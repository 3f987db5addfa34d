import type { Finding } from '@muster/contract/finding'
import { describe, expect, test } from 'vitest'
import { reconcile } from './reconcile.ts'
import type { Wanted } from './wanted.ts'

const subject = { employeeId: 'ada', accountId: 'account', appType: 'ZAPIER', appId: 'zapier' }
const settle = (known: Finding | undefined, wanted: Wanted | undefined, now: number) =>
  reconcile(known, 'WEAK_PASSWORD', subject, wanted, now, () => `id-${now}`)
const weak: Wanted = { open: true, passwordId: 'p', weakPasswordReasons: ['TOO_SHORT'] }
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

describe('a finding', () => {
  test.each([
    ['is made when it first opens', undefined, weak, 1, opened],
    ['is not made resolved', undefined, { open: false } as Wanted, 1, undefined],
    ['is not made by what has nothing to say', undefined, undefined, 1, undefined],
    ['stays open', opened, weak, 5, opened],
    ['stays as it is by what has nothing to say', opened, undefined, 5, opened],
    ['is resolved', opened, { open: false } as Wanted, 2, closed],
    ['stays resolved', closed, { open: false } as Wanted, 5, closed],
    ['reopens under the same id', closed, weak, 7, { ...opened, lastUpdatedTimestamp: 7 }],
    [
      'shows another password without being updated',
      opened,
      { open: true, passwordId: 'q', weakPasswordReasons: ['RESTRICTED_WORD'] } as Wanted,
      5,
      {
        ...opened,
        passwordId: 'q',
        weakPasswordReasons: ['RESTRICTED_WORD'] as Finding['weakPasswordReasons'],
      },
    ],
  ])('%s', (_, known, wanted, now, then) => {
    expect(settle(known, wanted, now)).toEqual(then)
  })

  test('that does not change is the same object, so that nothing is written', () => {
    expect(settle(opened, weak, 5)).toBe(opened)
    expect(settle(closed, { open: false }, 5)).toBe(closed)
  })
})
