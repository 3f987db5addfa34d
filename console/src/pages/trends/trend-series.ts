import type { Trends } from '@muster/contract/console/trends/console-trends'
import { type Levels, type ShareName, shareOf } from '@muster/contract/console/trends/daily-figures'
import { type FlowKey, levelsOf, trendFlow } from '@muster/contract/console/trends/trend-links'
import { listLink } from '../../list/list-paths.ts'
import type { ChartSeries } from '../overview/chart-scale.ts'

/** Returns a flow by week. A value without a link has no list with exactly its rows. */
export function flowSeries(trends: Trends, key: FlowKey, name: string, tone: string): ChartSeries {
  const { weeks } = trendFlow(trends, key)
  return {
    name,
    tone,
    values: weeks.map(({ count }) => count),
    links: weeks.map(({ count, link }) => (count > 0 && link ? listLink(link) : undefined)),
  }
}

/** Returns a value of the levels at the end of each week; null if they were not counted. */
export const levelSeries = (
  { levels }: Trends,
  name: string,
  tone: string,
  valueIn: (levels: Levels) => number | null,
): ChartSeries => ({
  name,
  tone,
  values: levels.map((level) => (level === null ? null : valueIn(levelsOf(level)))),
})

/** Returns a share in percent by week. */
export const shareSeries = (trends: Trends, share: ShareName, name: string): ChartSeries =>
  levelSeries(trends, name, 'good', (levels) => shareOf(levels, share))

/** Returns the mean time to resolve by week, in days; null for a week without closed findings. */
export function resolveSeries(trends: Trends): ChartSeries {
  const closed = trendFlow(trends, 'closed').weeks
  return {
    name: 'Mean time to resolve',
    tone: 'two',
    values: trends.resolveSeconds.map((seconds, week) => {
      const count = closed[week]?.count ?? 0
      return count === 0 ? null : seconds / count / 86_400
    }),
  }
}
