import type { Static } from 'typebox'
import { closed, count, flag, id, listOf, nullable, oneOf, text, timestamp } from '../../api/fields.ts'
import { detectionResponses, detectionTypes, severities } from '../../records/detection.ts'
import { consoleOperation } from '../console-operation.ts'
import { flowNames, levelNames } from './daily-figures.ts'

/** Periods of the page: weeks of seven whole days (UTC), the last of which ends with yesterday. */
export const trendWeeks = { LAST_90_DAYS: 13, LAST_YEAR: 52 } as const
export type TrendPeriod = keyof typeof trendWeeks
export const trendPeriods = Object.keys(trendWeeks) as TrendPeriod[]

/** Days for which flows are counted from records when Muster starts to keep figures: a year and the year before. */
export const derivedDays = 2 * 52 * 7

const weeksMaximum = trendWeeks.LAST_YEAR

const perWeek = (description: string) =>
  listOf(count('Number in the week.', 3), description, [3, 0, 5], weeksMaximum)

const Level = closed(
  { name: oneOf(levelNames, 'Name of the figure.', 'accounts'), count: count('The value.', 420) },
  { $id: 'TrendLevel', description: 'Number of records in a state.' },
)

const levelList = (description: string) => listOf(Level, description, [], levelNames.length)

export const Trends = closed(
  {
    asOfTimestamp: timestamp('Time when the current values were counted.'),
    weekTimestamps: listOf(timestamp('The first second of a week.'), 'The weeks, oldest first.', [], 52),
    endTimestamp: timestamp('End of the last week: today, 00:00 UTC.'),
    levelsFromTimestamp: nullable(
      timestamp('First day whose levels were counted; null if none yet. Flows are known from before.'),
    ),
    flows: listOf(
      closed(
        {
          name: oneOf(flowNames, 'Name of the figure.', 'apps'),
          counts: perWeek('The values.'),
          listed: perWeek(
            'Number of records in the list of each week. Differs from the value if records were deleted or reopened later.',
          ),
          before: count('The value of the period before, which is as long.', 12),
        },
        { description: 'Number of events by week.' },
      ),
      'Numbers of events by week.',
      [],
      flowNames.length,
    ),
    resolveSeconds: perWeek('Seconds from opening to closing, of all findings closed in the week.'),
    resolveSecondsBefore: count('The same in the period before.', 86400),
    levels: listOf(
      nullable(levelList('Levels at the end of the week; null if they were not counted.')),
      'Levels by week.',
      [],
      weeksMaximum,
    ),
    now: levelList('The current levels.'),
  },
  { $id: 'Trends', description: 'Figures of the page about trends.' },
)
export type Trends = Static<typeof Trends>

/** Maximum number of apps and detections in a report. */
export const reportRows = 5

export const Report = closed(
  {
    id: text('Month or quarter.', '2026-10', 7, 7),
    organization: text('Name of the organization.', 'Example', 256),
    asOfTimestamp: timestamp('Time when the report was made.'),
    fromTimestamp: timestamp('First second of the period.'),
    toTimestamp: timestamp(
      'End of the period. While it is not over: today, 00:00 UTC; the period before is then as long.',
    ),
    endTimestamp: timestamp('End of the whole month or quarter.'),
    previousFromTimestamp: timestamp('First second of the period before.'),
    previousToTimestamp: timestamp('End of the part of the period before that is compared.'),
    flows: listOf(
      closed(
        {
          name: oneOf(flowNames, 'Name of the figure.', 'apps'),
          count: count('The value.', 12),
          listed: count('Number of records in its list.', 12),
          before: count('The value of the period before.', 9),
        },
        { description: 'Number of events.' },
      ),
      'Numbers of events.',
      [],
      flowNames.length,
    ),
    resolveSeconds: count('Seconds from opening to closing, of all findings closed in the period.', 864000),
    resolveSecondsBefore: count('The same in the period before.', 864000),
    levels: nullable(levelList('Levels at the end of the period; null if they were not counted.')),
    levelsBefore: nullable(
      levelList('Levels at the end of the period before; null if they were not counted.'),
    ),
    apps: listOf(
      closed(
        {
          id: id('ID of the app.'),
          name: text('Display name.', 'Zapier', 256),
          openFindings: count('Number of open findings now.', 7),
          people: count('Number of employees with an account.', 42),
        },
        { description: 'An app with open findings.' },
      ),
      'The apps with the most open findings now.',
      [],
      reportRows,
    ),
    detections: listOf(
      closed(
        {
          id: id('ID of the detection.'),
          detectionType: oneOf(detectionTypes, 'The type.', 'PHISHING'),
          severity: oneOf(severities, 'The severity.', 'HIGH'),
          response: oneOf(detectionResponses, 'Response of the browser or of the employee.', 'BLOCKED'),
          site: nullable(text('Host of the page; null if unknown.', 'login.example.net', 256)),
          creationTimestamp: timestamp('Time when it was first seen; UNIX seconds.'),
        },
        { description: 'A detection of the period.' },
      ),
      'The most severe detections of the period, then the newest.',
      [],
      reportRows,
    ),
  },
  { $id: 'Report', description: 'Report about a month or a quarter.' },
)
export type Report = Static<typeof Report>

const ReportMail = closed(
  { subscribed: flag('True if the administrator gets the report about each month by mail.', false) },
  { $id: 'ReportMail', description: 'Monthly report by mail.' },
)

/** Operations of the page about trends and of the report. */
export const trendOperations = {
  readTrends: consoleOperation({
    method: 'GET',
    path: '/console/api/trends/:id',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read figures by week. The ID is the period. They may be some minutes old.',
    response: Trends,
  }),
  readReport: consoleOperation({
    method: 'GET',
    path: '/console/api/reports/:id',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the report about a month (2026-10) or a quarter (2026-Q4).',
    response: Report,
  }),
  readReportMail: consoleOperation({
    method: 'GET',
    path: '/console/api/report-mail',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read if the caller gets the report about each month by mail.',
    response: ReportMail,
  }),
  changeReportMail: consoleOperation({
    method: 'PUT',
    path: '/console/api/report-mail',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Start or stop sending the report about each month to the caller.',
    body: ReportMail,
    response: ReportMail,
  }),
} as const
