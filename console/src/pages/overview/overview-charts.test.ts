import type { Overview } from '@muster/contract/console/console-overview'
import { overviewFigures } from '@muster/contract/console/figure-links'
import { expect, test } from 'vitest'
import { appSeries, detectionSeries, findingSeries } from './overview-charts.ts'

const figures = overviewFigures({
  weekTimestamps: [345_600, 950_400],
  totals: {},
  findings: [
    { type: 'WEAK_PASSWORD', open: 3, opened: [1, 2] },
    { type: 'SHARED_ACCOUNT', open: 1, opened: [0, 4] },
  ],
  detections: [
    { severity: 'CRITICAL', waiting: 1, happened: [1, 0] },
    { severity: 'LOW', waiting: 2, happened: [0, 2] },
  ],
  discovered: { apps: [5, 6], appsOther: [7, 8] },
  coverage: {},
  passwords: {},
  mfa: {},
} as unknown as Overview)

const week = { creationTimestampAfter: '950400', creationTimestampBefore: '1555200' }

test('findings combined or by type link to the list of the week', () => {
  const [all] = findingSeries(figures, '')
  expect(all?.values).toEqual([1, 6])
  expect(all?.links[1]).toEqual({ to: '/findings', search: { workStatus: 'any', ...week } })
  const [weak] = findingSeries(figures, 'WEAK_PASSWORD')
  expect(weak?.values).toEqual([1, 2])
  expect(weak?.links[1]).toEqual({
    to: '/findings',
    search: { workStatus: 'any', type: 'WEAK_PASSWORD', ...week },
  })
})

test('detections are stacked from least severe, and link to week and severity', () => {
  const series = detectionSeries(figures)
  expect(series.map(({ name, tone, values }) => [name, tone, values])).toEqual([
    ['Low', 'low', [0, 2]],
    ['Critical', 'critical', [1, 0]],
  ])
  expect(series[0]?.links[1]).toEqual({
    to: '/detections',
    search: { archived: 'any', severity: 'LOW', ...week },
  })
})

test('catalog apps and unrecognized apps link to their own lists', () => {
  expect(appSeries(figures).map(({ values, links }) => [values, links[1]])).toEqual([
    [[5, 6], { to: '/apps', search: week }],
    [[7, 8], { to: '/apps-other', search: week }],
  ])
})
