import { detectionTypes } from '../../records/detection.ts'
import { findingTypes } from '../../records/finding.ts'
import { findingWords } from '../../records/finding-words.ts'
import type { ListLink } from '../figure-links.ts'
import type { Report, Trends } from './console-trends.ts'
import {
  type DetectionKind,
  type Levels,
  levelFigures,
  meanResolveDays,
  openTotal,
  type ShareName,
  shareNames,
  shareOf,
} from './daily-figures.ts'
import { type FlowKey, levelsOf, reportFlow, reportFlows, trendFlow } from './trend-links.ts'

/** A figure of a report with its value in the period before. Null: not known. */
export interface ReportFigure {
  readonly id: string
  readonly label: string
  readonly unit: 'COUNT' | 'DAYS' | 'PERCENT'
  readonly value: number | null
  readonly before: number | null
  /** Undefined for a figure that is neither good nor bad. */
  readonly betterWhen?: 'LOWER' | 'HIGHER'
  readonly link?: ListLink | undefined
}

export const shareLabels: Readonly<Record<ShareName, string>> = {
  MFA: 'Accounts with MFA',
  SSO: 'Accounts with single sign-on',
  COVERAGE: 'Licensed employees with an active browser',
}

/** Lists of the accounts and employees that a share counts. */
const shareLinks: Readonly<Record<ShareName, ListLink>> = {
  MFA: levelFigures['mfa.REGISTERED'],
  SSO: levelFigures['signIn.SSO'],
  COVERAGE: levelFigures.covered,
}

export const detectionLabels: Readonly<Record<DetectionKind, string>> = {
  PHISHING: 'Phishing',
  STOLEN_CREDENTIALS: 'Stolen credentials',
  BLOCKED_URL: 'Blocked address',
  MALWARE_DELIVERY: 'Malware delivery',
  MALICIOUS_BROWSER_EXTENSION: 'Malicious extension',
}

const levels = ({ levels: end, levelsBefore }: Report): readonly [Levels | null, Levels | null] => [
  end && levelsOf(end),
  levelsBefore && levelsOf(levelsBefore),
]

function flow(report: Report, key: FlowKey, facts: Pick<ReportFigure, 'label' | 'betterWhen'>): ReportFigure {
  const { count, before, link } = reportFlow(report, key)
  return { id: key, unit: 'COUNT', value: count, before, link, ...facts }
}

/** Returns the figures at the top of a report. */
export function reportHeadlines(report: Report): ReportFigure[] {
  const [end, before] = levels(report)
  return [
    {
      id: 'open',
      label: 'Open findings',
      unit: 'COUNT',
      value: openTotal(end),
      before: openTotal(before),
      betterWhen: 'LOWER',
    },
    flow(report, 'opened', { label: 'Findings opened', betterWhen: 'LOWER' }),
    flow(report, 'closed', { label: 'Findings closed', betterWhen: 'HIGHER' }),
    {
      id: 'resolve',
      label: 'Mean time to resolve',
      unit: 'DAYS',
      value: meanResolveDays(reportFlows(report, 'count')),
      before: meanResolveDays(reportFlows(report, 'before')),
      betterWhen: 'LOWER',
    },
    flow(report, 'detections', { label: 'Detections', betterWhen: 'LOWER' }),
    flow(report, 'apps', { label: 'New apps' }),
    flow(report, 'appsOther', { label: 'New unrecognized apps' }),
  ]
}

/**
 * Returns the figures at the top of the page about trends. Flows are compared with the period before, levels and shares
 * with the first ones that were counted in the period.
 */
export function trendHeadlines(trends: Trends): ReportFigure[] {
  const now = levelsOf(trends.now)
  const first = trends.levels.find((levels) => levels !== null)
  const before = first ? levelsOf(first) : null
  const flowFigure = (key: FlowKey, facts: Pick<ReportFigure, 'label' | 'betterWhen'>): ReportFigure => {
    const { total, before: earlier } = trendFlow(trends, key)
    return { id: key, unit: 'COUNT', value: total.count, before: earlier, link: total.link, ...facts }
  }
  const closed = trendFlow(trends, 'closed')
  const meanDays = (seconds: number, count: number) => (count === 0 ? null : seconds / count / 86_400)
  return [
    {
      id: 'open',
      label: 'Open findings',
      unit: 'COUNT',
      value: openTotal(now),
      before: openTotal(before),
      betterWhen: 'LOWER',
      link: { list: 'findings', filters: { state: 'OPEN' } },
    },
    flowFigure('opened', { label: 'Findings opened', betterWhen: 'LOWER' }),
    flowFigure('closed', { label: 'Findings closed', betterWhen: 'HIGHER' }),
    {
      id: 'resolve',
      label: 'Mean time to resolve',
      unit: 'DAYS',
      value: meanDays(
        trends.resolveSeconds.reduce((sum, seconds) => sum + seconds, 0),
        closed.total.count,
      ),
      before: meanDays(trends.resolveSecondsBefore, closed.before),
      betterWhen: 'LOWER',
    },
    flowFigure('detections', { label: 'Detections', betterWhen: 'LOWER' }),
    flowFigure('apps', { label: 'New apps' }),
    flowFigure('appsOther', { label: 'New unrecognized apps' }),
    ...shareNames.map(
      (name): ReportFigure => ({
        id: name,
        label: shareLabels[name],
        unit: 'PERCENT',
        value: shareOf(now, name),
        before: shareOf(before, name),
        betterWhen: 'HIGHER',
        link: shareLinks[name],
      }),
    ),
  ]
}

/** Returns coverage and the shares of MFA and single sign-on. */
export function reportShares(report: Report): ReportFigure[] {
  const [end, before] = levels(report)
  return shareNames.map((name) => ({
    id: name,
    label: shareLabels[name],
    unit: 'PERCENT',
    value: shareOf(end, name),
    before: shareOf(before, name),
    betterWhen: 'HIGHER',
  }))
}

/** Returns the findings of a report by type. */
export function reportFindings(report: Report) {
  const [end, before] = levels(report)
  return findingTypes.map((type) => {
    const { label } = findingWords[type]
    const name = `open.${type}` as const
    const open: ReportFigure = {
      id: name,
      label: `Open: ${label}`,
      unit: 'COUNT',
      value: end?.[name] ?? null,
      before: before?.[name] ?? null,
      betterWhen: 'LOWER',
    }
    return {
      type,
      label,
      open,
      opened: flow(report, `opened.${type}`, { label: `Opened: ${label}`, betterWhen: 'LOWER' }),
      closed: flow(report, `closed.${type}`, { label: `Closed: ${label}`, betterWhen: 'HIGHER' }),
    }
  })
}

/** Returns the detections of a report by type. */
export const reportDetections = (report: Report): ReportFigure[] =>
  detectionTypes.map((type) =>
    flow(report, `detections.${type}`, { label: detectionLabels[type], betterWhen: 'LOWER' }),
  )

/** Smallest change that a report mentions: share of the value before for counts and days, points for percentages. */
const leastChange = { COUNT: 0.05, DAYS: 0.05, PERCENT: 0.5 } as const

/** Returns the relative change, or the difference in points for a percentage; undefined if it is not known. */
function changeOf({ unit, value, before }: ReportFigure): number | undefined {
  if (value === null || before === null) return undefined
  if (unit === 'PERCENT') return value - before
  if (before === 0) return value === 0 ? 0 : undefined
  return (value - before) / before
}

/** Returns whether a figure got better or worse by more than a small change; undefined if neither. */
export function verdictOf(figure: ReportFigure): 'BETTER' | 'WORSE' | undefined {
  const { betterWhen, value, before, unit } = figure
  if (betterWhen === undefined || value === null || before === null) return undefined
  const change = changeOf(figure) ?? Number.POSITIVE_INFINITY
  if (Math.abs(change) < leastChange[unit]) return undefined
  return value > before === (betterWhen === 'HIGHER') ? 'BETTER' : 'WORSE'
}

/** Maximum number of figures below "Better" and "Worse" each. */
const mentioned = 5

/**
 * Returns the figures that got better and worse, the largest changes of a number first. Single types are mentioned with
 * their open findings if those were counted, otherwise with the opened ones.
 */
export function reportChanges(report: Report): {
  readonly better: readonly ReportFigure[]
  readonly worse: readonly ReportFigure[]
} {
  const resolve = reportHeadlines(report).filter(({ id }) => id === 'resolve')
  const types = reportFindings(report).map(({ open, opened }) =>
    open.value === null || open.before === null ? opened : open,
  )
  const figures = [...reportShares(report), ...resolve, ...types, ...reportDetections(report)]
  const weight = ({ unit, value, before }: ReportFigure) =>
    unit === 'COUNT' ? Math.abs((value ?? 0) - (before ?? 0)) : Number.MAX_SAFE_INTEGER
  const having = (verdict: 'BETTER' | 'WORSE') =>
    figures
      .filter((figure) => verdictOf(figure) === verdict)
      .toSorted((one, other) => weight(other) - weight(one))
      .slice(0, mentioned)
  return { better: having('BETTER'), worse: having('WORSE') }
}

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

/** Formats a value: `1,234`, `3.5 days`, `97.4 %`; `–` if it is not known. */
export function figureText(value: number | null, unit: ReportFigure['unit']): string {
  if (value === null) return '–'
  if (unit === 'COUNT') return value.toLocaleString('en-GB')
  const text = value.toLocaleString('en-GB', oneDigit)
  return unit === 'DAYS' ? `${text} ${text === '1.0' ? 'day' : 'days'}` : `${text} %`
}

/** Formats the change against the period before: `+12 %`, `×15`, `−1.5 points`, `new`; `–` if it is not known. */
export function changeText(figure: ReportFigure): string {
  const { unit, value, before } = figure
  if (value === null || before === null) return '–'
  const change = changeOf(figure)
  if (change === undefined) return 'new'
  const points = unit === 'PERCENT'
  // A percentage of a thousand and more is hard to read.
  if (!points && change >= 9.995) return `×${Math.round(value / before).toLocaleString('en-GB')}`
  const amount = Math.abs(points ? change : change * 100)
  const text = amount.toLocaleString('en-GB', points ? oneDigit : { maximumFractionDigits: 0 })
  if (text === '0' || text === '0.0') return 'unchanged'
  return `${change > 0 ? '+' : '−'}${text} ${points ? 'points' : '%'}`
}

const monthText = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Returns the name of a month or a quarter: `October 2026`, `Quarter 4 of 2026`. */
export function periodText(id: string): string {
  const [year, part = ''] = id.split('-')
  return part.startsWith('Q')
    ? `Quarter ${part.slice(1)} of ${year}`
    : monthText.format(new Date(`${id}-01T00:00:00Z`))
}
