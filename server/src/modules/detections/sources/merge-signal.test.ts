import type { Detection } from '@muster/contract/records/detection'
import { describe, expect, test } from 'vitest'
import type { DetectionSignal, Response, Severity } from './detection-source.ts'
import { isSameAttack, mergeSignal } from './merge-signal.ts'

const state = (severity: Severity, response: Response) => ({ severity, response })
const known = (severity: Severity, response: Response) =>
  ({ ...state(severity, response), archived: true, lastActivityTimestamp: 100 }) as Detection
const seen = (severity: Severity, response: Response) => state(severity, response) as DetectionSignal

describe('merging a signal into a detection', () => {
  test.each([
    [
      state('MEDIUM', 'EMPLOYEE_WARNED'),
      state('HIGH', 'EMPLOYEE_IGNORED_WARNING'),
      state('HIGH', 'EMPLOYEE_IGNORED_WARNING'),
    ],
    [
      state('HIGH', 'EMPLOYEE_IGNORED_WARNING'),
      state('MEDIUM', 'EMPLOYEE_WARNED'),
      state('HIGH', 'EMPLOYEE_IGNORED_WARNING'),
    ],
    [state('LOW', 'BLOCKED'), state('LOW', 'BLOCKED'), state('LOW', 'BLOCKED')],
    [state('HIGH', 'MONITORED'), state('MEDIUM', 'BLOCKED'), state('HIGH', 'MONITORED')],
    [state('HIGH', 'MONITORED'), state('CRITICAL', 'EMPLOYEE_WARNED'), state('CRITICAL', 'MONITORED')],
  ])('%o and %o give %o', (before, more, after) => {
    expect(
      mergeSignal(known(before.severity, before.response), seen(more.severity, more.response), 160),
    ).toEqual({
      ...after,
      archived: true,
      lastActivityTimestamp: 160,
    })
  })

  test.each([
    [23_600, true],
    [23_601, false],
    [6400, true],
    [6399, false],
    [15_000, true],
  ])('attack seen from 10000 to 20000 and at %i: the same attack is %s', (seenAt, same) => {
    expect(isSameAttack(10_000, 20_000, seenAt)).toBe(same)
  })
})
