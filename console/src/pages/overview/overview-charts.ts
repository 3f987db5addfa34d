import type { Figure, OverviewFigures } from '@muster/contract/console/figure-links'
import { listLink } from '../../list/list-paths.ts'
import { labelOf } from '../../ui/text/labels.ts'
import type { ChartSeries } from './chart-scale.ts'

const seriesOf = (name: string, tone: string, weeks: readonly Figure[]): ChartSeries => ({
  name,
  tone,
  values: weeks.map(({ count }) => count),
  links: weeks.map(({ count, link }) => (count > 0 ? listLink(link) : undefined)),
})

const severityTones = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const

/** Returns detections by severity, least severe first. */
export const detectionSeries = ({ detections }: OverviewFigures): ChartSeries[] =>
  detections
    .toReversed()
    .map(({ severity, weeks }) => seriesOf(labelOf(severity), severityTones[severity], weeks))

/** Returns findings of one type, or of all types combined. */
export function findingSeries(
  { findings, findingWeeks }: OverviewFigures,
  type: OverviewFigures['findings'][number]['type'] | '',
): ChartSeries[] {
  const one = findings.find((each) => each.type === type)
  return [one ? seriesOf(labelOf(one.type), 'one', one.weeks) : seriesOf('All findings', 'one', findingWeeks)]
}

/** Returns apps by the week in which they were first seen. */
export const appSeries = ({ appWeeks, otherAppWeeks }: OverviewFigures): ChartSeries[] => [
  seriesOf('Catalog apps', 'one', appWeeks),
  seriesOf('Unrecognized apps', 'two', otherAppWeeks),
]
