import type { Figure, ListLink } from '../figure-links.ts'
import type { Report, Trends } from './console-trends.ts'
import {
  type FlowFigure,
  type FlowName,
  type Flows,
  type FlowTotal,
  flowFigures,
  flowNames,
  flowTotals,
  type LevelName,
  type Levels,
  levelFigures,
} from './daily-figures.ts'

/** A number. The link is undefined if its list has another number of rows today. */
export interface LinkedCount {
  readonly count: number
  readonly link: ListLink | undefined
}

/** A flow, or the sum of a flow over all types. */
export type FlowKey = FlowName | FlowTotal

const isTotal = (key: FlowKey): key is FlowTotal => key in flowTotals

const figureOf = (key: FlowKey): FlowFigure => (isTotal(key) ? flowTotals[key] : flowFigures[key])

/** Returns the names of the flows that a key adds up. */
const namesOf = (key: FlowKey): readonly FlowName[] =>
  isTotal(key) ? flowNames.filter((name) => name.startsWith(`${key}.`)) : [key]

/** A number of events within a period; times are UNIX seconds, `to` is exclusive. */
interface Counted {
  readonly count: number
  readonly listed: number
  readonly from: number
  readonly to: number
}

function linkedCount(key: FlowKey, { count, listed, from, to }: Counted): LinkedCount {
  const { list, filters, time } = figureOf(key)
  const window = { [`${time}After`]: String(from), [`${time}Before`]: String(to) }
  return { count, link: count === listed ? { list, filters: { ...filters, ...window } } : undefined }
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)

/** Returns a flow of the page about trends: the whole period, its weeks, and the period before. */
export function trendFlow({ flows, weekTimestamps, endTimestamp }: Trends, key: FlowKey) {
  const parts = namesOf(key).flatMap((name) => flows.filter((flow) => flow.name === name))
  const ofWeek = (member: 'counts' | 'listed', week: number) =>
    sum(parts.map((part) => part[member][week] ?? 0))
  const weeks = weekTimestamps.map((from, week) => ({
    count: ofWeek('counts', week),
    listed: ofWeek('listed', week),
    from,
    to: weekTimestamps[week + 1] ?? endTimestamp,
  }))
  const whole = {
    count: sum(weeks.map(({ count }) => count)),
    listed: sum(weeks.map(({ listed }) => listed)),
    from: weekTimestamps[0] ?? endTimestamp,
    to: endTimestamp,
  }
  return {
    total: linkedCount(key, whole),
    weeks: weeks.map((week) => linkedCount(key, week)),
    before: sum(parts.map(({ before }) => before)),
  }
}

/** Returns a flow of a report, with the value of the period before. */
export function reportFlow(
  { flows, fromTimestamp: from, toTimestamp: to }: Report,
  key: FlowKey,
): LinkedCount & { readonly before: number } {
  const parts = namesOf(key).flatMap((name) => flows.filter((flow) => flow.name === name))
  const of = (member: 'count' | 'listed' | 'before') => sum(parts.map((part) => part[member]))
  return {
    ...linkedCount(key, { count: of('count'), listed: of('listed'), from, to }),
    before: of('before'),
  }
}

/** Returns levels by name. */
export const levelsOf = (list: Trends['now']): Levels =>
  Object.fromEntries(list.map(({ name, count }) => [name, count]))

/** Returns the flows of a report by name; of the period before with `before`. */
export const reportFlows = (report: Report, member: 'count' | 'before'): Flows => ({
  ...Object.fromEntries(report.flows.map((flow) => [flow.name, flow[member]])),
  resolveSeconds: member === 'count' ? report.resolveSeconds : report.resolveSecondsBefore,
})

/** Returns a current level with its list. */
export const levelNow = ({ now }: Trends, name: LevelName): Figure => ({
  count: levelsOf(now)[name] ?? 0,
  link: levelFigures[name],
})
