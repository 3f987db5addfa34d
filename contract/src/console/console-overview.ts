import type { Static } from 'typebox'
import { severities } from '../detection.ts'
import { closed, count, listOf, oneOf, timestamp } from '../fields.ts'
import { findingTypes } from '../finding.ts'
import { consoleOperation } from './console-operation.ts'

/** So many weeks are shown, the one that runs now included. A week begins on Monday, 00:00 UTC. */
export const overviewWeeks = 12

const perWeek = (description: string) =>
  listOf(count('How many in the week.', 3), description, [3, 0, 5], overviewWeeks)

export const Overview = closed(
  {
    asOfTimestamp: timestamp('When this was counted.'),
    weekTimestamps: listOf(timestamp('The first second of a week.'), 'The weeks, oldest first.', [], 12),
    totals: closed(
      {
        employees: count('How many employees there are.', 420),
        accounts: count('How many accounts there are.', 4200),
        apps: count('How many apps of the catalog are used.', 80),
        appsOther: count('How many other apps are used.', 30),
        activeBrowsers: count('How many browsers are active.', 500),
        browserExtensions: count('How many extensions are in browsers, each counted in each browser.', 900),
        blockedUrls: count('How many addresses are blocked.', 12),
      },
      { description: 'How many records there are.' },
    ),
    findings: listOf(
      closed(
        {
          type: oneOf(findingTypes, 'The type.', 'WEAK_PASSWORD'),
          open: count('How many are open now.', 7),
          opened: perWeek('How many were found in each of the weeks.'),
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
          waiting: count('How many are not archived.', 7),
          happened: perWeek('How many happened in each of the weeks.'),
        },
        { description: 'Detections of one severity.' },
      ),
      'Detections by severity, the worst first.',
      [],
      severities.length,
    ),
    discovered: closed(
      {
        apps: perWeek('Apps of the catalog that were first seen in each of the weeks.'),
        appsOther: perWeek('Other apps that were first seen in each of the weeks.'),
      },
      { description: 'Apps by the week that they were first seen in.' },
    ),
    coverage: closed(
      {
        licensed: count('How many employees are licensed.', 400),
        covered: count('How many of them have an active browser.', 380),
      },
      { description: 'How far the agent has come.' },
    ),
    passwords: closed(
      {
        accounts: count('How many accounts have a password that was seen.', 4000),
      },
      { description: 'Accounts with passwords.' },
    ),
    mfa: closed(
      {
        registered: count('Number of accounts with a second factor.', 3000),
        missing: count('Number of accounts that are known to have none.', 200),
        unknown: count('Number of accounts where it is not known.', 800),
      },
      { description: 'Second factors of all accounts.' },
    ),
  },
  { $id: 'Overview', description: 'What the first page of the console shows.' },
)
export type Overview = Static<typeof Overview>

/** The first page. */
export const overviewOperations = {
  readOverview: consoleOperation({
    method: 'GET',
    path: '/console/api/overview',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Count what the first page shows. It may be some minutes old, and says of when it is.',
    response: Overview,
  }),
} as const
