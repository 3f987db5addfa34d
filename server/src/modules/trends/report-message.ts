import type { Report } from '@muster/contract/console/trends/console-trends'
import {
  changeText,
  detectionLabels,
  figureText,
  periodText,
  type ReportFigure,
  reportChanges,
  reportDetections,
  reportFindings,
  reportHeadlines,
  reportShares,
} from '@muster/contract/console/trends/report-figures'
import type { Message, MessagePart } from '../notices/notice-layout.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const rangeText = (from: number, to: number): string =>
  `${day.format(from * 1000)} to ${day.format((to - 86_400) * 1000)}`

const sentence = (figure: ReportFigure): string =>
  `${figure.label}: ${figureText(figure.value, figure.unit)} (${changeText(figure)})`

/** Section with a heading and a list, or a sentence if the list is empty. */
const listSection = (heading: string, figures: readonly ReportFigure[], none: string): MessagePart[] => [
  { heading },
  figures.length === 0 ? none : { list: figures.map(sentence) },
]

/** Returns the report as a message: for the monthly mail and the command line. */
export function reportMessage(report: Report, publicUrl: string): Message {
  const { better, worse } = reportChanges(report)
  const isOver = report.toTimestamp === report.endTimestamp
  const range = rangeText(report.fromTimestamp, report.toTimestamp)
  const before = rangeText(report.previousFromTimestamp, report.previousToTimestamp)
  const headlines = [...reportHeadlines(report), ...reportShares(report)]
  return {
    subject: `Security report of ${report.organization}: ${periodText(report.id)}`,
    parts: [
      `${range}${isOver ? '' : ', so far'}. Changes are against ${before}.`,
      {
        columns: ['Figure', 'Value', 'Change'],
        rows: headlines.map((figure) => [
          figure.label,
          figureText(figure.value, figure.unit),
          changeText(figure),
        ]),
      },
      ...listSection('Better', better, 'Nothing got clearly better.'),
      ...listSection('Worse', worse, 'Nothing got clearly worse.'),
      { heading: 'Findings by type' },
      {
        columns: ['Type', 'Opened', 'Closed', 'Open at the end'],
        rows: reportFindings(report).map(({ label, opened, closed, open }) => [
          label,
          ...[opened, closed, open].map(({ value, unit }) => figureText(value, unit)),
        ]),
      },
      { heading: 'Detections by type' },
      {
        columns: ['Type', 'Detections', 'Change'],
        rows: reportDetections(report).map((figure) => [
          figure.label,
          figureText(figure.value, figure.unit),
          changeText(figure),
        ]),
      },
      ...tableSection('Most severe detections', ['Detection', 'Site', 'Severity'], topDetections(report)),
      ...tableSection(
        'Apps with the most open findings now',
        ['App', 'Open findings', 'People'],
        apps(report),
      ),
      { link: `${publicUrl}/console/reports/${report.id}`, label: 'Open the report, which also prints' },
    ],
  }
}

const topDetections = ({ detections }: Report) =>
  detections.map(({ detectionType, site, severity }) => [
    detectionLabels[detectionType],
    site ?? '–',
    severity.charAt(0) + severity.slice(1).toLowerCase(),
  ])

const apps = (report: Report) =>
  report.apps.map(({ name, openFindings, people }) => [
    name,
    figureText(openFindings, 'COUNT'),
    figureText(people, 'COUNT'),
  ])

/** Section with a heading and a table; nothing if there are no rows. */
const tableSection = (
  heading: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): MessagePart[] => (rows.length === 0 ? [] : [{ heading }, { columns, rows }])
