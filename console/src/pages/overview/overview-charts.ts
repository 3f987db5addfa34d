import type { Overview } from '@muster/contract/console/console-overview'
import { type ListSearch, stringifySearch } from '../../data/list-search.ts'
import { wordsOf } from '../../ui/words.ts'
import type { ChartSeries } from './chart-scale.ts'

const weekSeconds = 7 * 86_400

/** The address of a list with filters. */
export const listPath = (path: string, search: ListSearch = {}): string => `${path}${stringifySearch(search)}`

/** A list of what was created in a week. */
const ofWeek =
  (weeks: readonly number[], path: string, search: ListSearch = {}) =>
  (week: number): string => {
    const from = weeks[week] ?? 0
    return listPath(path, {
      ...search,
      creationTimestampAfter: String(from),
      creationTimestampBefore: String(from + weekSeconds),
    })
  }

const severityTones = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const

/** Detections by severity, the mildest at the bottom. */
export const detectionSeries = ({ detections, weekTimestamps }: Overview): ChartSeries[] =>
  detections.toReversed().map(({ severity, happened }) => ({
    name: wordsOf(severity),
    tone: severityTones[severity],
    values: happened,
    // The list leaves archived ones out unless it is told.
    pathOf: ofWeek(weekTimestamps, '/detections', { severity, archived: ['false', 'true'] }),
  }))

/** Findings of one type, or of all types together. */
export function findingSeries(
  { findings, weekTimestamps }: Overview,
  type: Overview['findings'][number]['type'] | '',
): ChartSeries[] {
  const shown = findings.filter((one) => type === '' || one.type === type)
  return [
    {
      name: type === '' ? 'All findings' : wordsOf(type),
      tone: 'one',
      values: weekTimestamps.map((_, week) =>
        shown.reduce((sum, { opened }) => sum + (opened[week] ?? 0), 0),
      ),
      // The list leaves resolved ones out unless it is told.
      pathOf: ofWeek(weekTimestamps, '/findings', { state: 'any', ...(type && { type }) }),
    },
  ]
}

/** Apps by the week that they were first seen in. */
export const appSeries = ({ discovered, weekTimestamps }: Overview): ChartSeries[] => [
  { name: 'Known apps', tone: 'one', values: discovered.apps, pathOf: ofWeek(weekTimestamps, '/apps') },
  {
    name: 'Other apps',
    tone: 'two',
    values: discovered.appsOther,
    pathOf: ofWeek(weekTimestamps, '/apps-other'),
  },
]
