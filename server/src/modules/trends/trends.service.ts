import { type TrendPeriod, type Trends, trendWeeks } from '@muster/contract/console/trends/console-trends'
import { flowNames, type Levels, levelNames } from '@muster/contract/console/trends/daily-figures'
import type { Reader } from '../../kernel/store/sql.ts'
import { dayOfSeconds, daysIn } from './daily-figures.service.ts'
import { firstDayWithLevels } from './daily-figures.store.ts'
import { countFlows, daySeconds } from './flows.store.ts'
import { countLevels } from './levels.store.ts'
import { inWeeks, lastLevels, sumFlows } from './trend-sums.rules.ts'

/** Returns levels as they are sent. A level that an older version did not count is left out. */
export const levelList = (levels: Levels): Trends['now'] =>
  levelNames.flatMap((name) => {
    const count = levels[name]
    return count === undefined ? [] : [{ name, count }]
  })

/** Reads the figures of a period by week, and those of the period before. */
export async function readTrends(
  db: Reader,
  org: number,
  period: TrendPeriod,
  nowSeconds: number,
): Promise<Trends> {
  const to = dayOfSeconds(nowSeconds)
  const length = trendWeeks[period] * 7
  const from = to - length
  const days = await daysIn(db, org, { from: from - length, to })
  const listed = await countFlows(db, org, { from, to })
  const before = sumFlows(days.slice(0, length).map(({ flows }) => flows))
  const weeks = inWeeks(days.slice(length)).map((week) => ({
    flows: sumFlows(week.map(({ flows }) => flows)),
    listed: sumFlows(week.map(({ day }) => listed.get(day) ?? {})),
    levels: lastLevels(week),
  }))
  const firstDay = await firstDayWithLevels(db, org)
  return {
    asOfTimestamp: nowSeconds,
    weekTimestamps: weeks.map((_, week) => (from + week * 7) * daySeconds),
    endTimestamp: to * daySeconds,
    levelsFromTimestamp: firstDay === null ? null : firstDay * daySeconds,
    flows: flowNames.map((name) => ({
      name,
      counts: weeks.map(({ flows }) => flows[name]),
      listed: weeks.map((week) => week.listed[name]),
      before: before[name],
    })),
    resolveSeconds: weeks.map(({ flows }) => flows.resolveSeconds),
    resolveSecondsBefore: before.resolveSeconds,
    levels: weeks.map(({ levels }) => levels && levelList(levels)),
    now: levelList(await countLevels(db, org)),
  }
}
