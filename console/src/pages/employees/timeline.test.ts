import { expect, test } from 'vitest'
import { timelineOf } from './timeline.ts'

const observed = {
  detections: [{ id: 'd', detectionType: 'PHISHING', creationTimestamp: 30 }],
  findings: [
    { id: 'f', type: 'WEAK_PASSWORD', state: 'RESOLVED', lastUpdatedTimestamp: 40 },
    { id: 'g', type: 'SHARED_ACCOUNT', state: 'OPEN', lastUpdatedTimestamp: 10 },
  ],
  accounts: [{ id: 'a', appType: 'ZAPIER', creationTimestamp: 20 }],
  browsers: [{ id: 'b', browser: 'CHROME', creationTimestamp: 5 }],
} as const

test('merges all records, latest first', () => {
  expect(timelineOf(observed, 10).map(({ kind, path }) => [kind, path])).toEqual([
    ['FINDING_RESOLVED', '/findings/f'],
    ['DETECTION', '/detections/d'],
    ['ACCOUNT', '/accounts/a'],
    ['FINDING_OPEN', '/findings/g'],
    ['BROWSER', '/browsers/b'],
  ])
})

test('limits the number of entries', () => {
  expect(timelineOf(observed, 2)).toHaveLength(2)
})
