import type { Static } from 'typebox'
import { closed, count, listOf, oneOf, timestamp } from '../api/fields.ts'
import { severities } from '../records/detection.ts'
import { findingTypes } from '../records/finding.ts'
import { consoleOperation } from './console-operation.ts'

/** Number of weeks shown, including the current one. Weeks begin on Monday, 00:00 UTC. */
export const overviewWeeks = 12

const perWeek = (description: string) =>
  listOf(count('Number in the week.', 3), description, [3, 0, 5], overviewWeeks)

export const Overview = closed(
  {
    asOfTimestamp: timestamp('Time when this was counted.'),
    weekTimestamps: listOf(timestamp('The first second of a week.'), 'The weeks, oldest first.', [], 12),
    totals: closed(
      {
        employees: count('Number of employees.', 420),
        accounts: count('Number of accounts.', 4200),
        apps: count('Number of catalog apps in use.', 80),
        appsOther: count('Number of apps (other) in use.', 30),
        activeBrowsers: count('Number of active browsers.', 500),
        browserExtensions: count('Number of extension installations over all browsers.', 900),
        blockedUrls: count('Number of blocked addresses.', 12),
      },
      { description: 'Numbers of records.' },
    ),
    findings: listOf(
      closed(
        {
          type: oneOf(findingTypes, 'The type.', 'WEAK_PASSWORD'),
          open: count('Number of open findings.', 7),
          opened: perWeek('Number of findings opened in each week.'),
        },
        { description: 'Findings of one type.' },
      ),
      'Findings by type.',
      [],
      findingTypes.length,
    ),
    detections: listOf(
      closed(
        {
          severity: oneOf(severities, 'The severity.', 'HIGH'),
          waiting: count('Number that is not archived.', 7),
          happened: perWeek('Number of detections in each week.'),
        },
        { description: 'Detections of one severity.' },
      ),
      'Detections by severity, most severe first.',
      [],
      severities.length,
    ),
    discovered: closed(
      {
        apps: perWeek('Catalog apps first seen in each week.'),
        appsOther: perWeek('Apps (other) first seen in each week.'),
      },
      { description: 'Apps by the week in which they were first seen.' },
    ),
    coverage: closed(
      {
        licensed: count('Number of licensed employees.', 400),
        covered: count('Number of licensed employees with an active browser.', 380),
      },
      { description: 'Coverage of the agent.' },
    ),
    passwords: closed(
      {
        accounts: count('Number of accounts with an observed password.', 4000),
      },
      { description: 'Accounts with passwords.' },
    ),
    mfa: closed(
      {
        registered: count('Number of accounts with a second factor.', 3000),
        missing: count('Number of accounts without a second factor.', 200),
        unknown: count('Number of accounts with an unknown state.', 800),
      },
      { description: 'Second factors of all accounts.' },
    ),
  },
  { $id: 'Overview', description: 'Figures of the overview page.' },
)
export type Overview = Static<typeof Overview>

/** Operations of the overview page. */
export const overviewOperations = {
  readOverview: consoleOperation({
    method: 'GET',
    path: '/console/api/overview',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the figures of the overview page. They may be some minutes old.',
    response: Overview,
  }),
} as const
