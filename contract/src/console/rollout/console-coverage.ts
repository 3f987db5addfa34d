import type { Static } from 'typebox'
import { closed, count, flag, listOf, oneOf, text, timestamp } from '../../api/fields.ts'
import { browserKinds } from '../../records/browser.ts'
import { consoleOperation } from '../console-operation.ts'
import { contactPeriodNames } from './coverage-figures.ts'

/** Number of days shown, including today. Days are those of UTC. */
export const coverageDays = 30

/** Maximum numbers of listed groups, browser versions and agent versions. The others are left out, the smallest first. */
export const coverageGroupsMaximum = 50
export const coverageVersionsMaximum = 100

const Coverage = closed(
  {
    asOfTimestamp: timestamp('Time when this was counted.'),
    licensed: count('Number of licensed employees.', 400),
    covered: count('Number of licensed employees with an active browser.', 380),
    contacts: listOf(
      closed(
        {
          period: oneOf(contactPeriodNames, 'Time since the last contact.', 'DAY'),
          browsers: count('Number of browsers.', 320),
        },
        { description: 'Browsers by their last contact.' },
      ),
      'Browsers by their last contact, the latest first.',
      [],
      contactPeriodNames.length,
    ),
    dayTimestamps: listOf(
      timestamp('The first second of a day.'),
      'The days, oldest first.',
      [],
      coverageDays,
    ),
    enrolled: listOf(count('Number in the day.', 3), 'Browsers enrolled on each day.', [], coverageDays),
    groups: listOf(
      closed(
        {
          name: text('Name of the group.', 'Engineers', 128),
          licensed: count('Number of its licensed employees.', 40),
          covered: count('Number of those with an active browser.', 38),
        },
        { description: 'Coverage of a group.' },
      ),
      'Groups with licensed employees, the largest first.',
      [],
      coverageGroupsMaximum,
    ),
    moreGroups: flag('True if there are more groups.', false),
    versions: listOf(
      closed(
        {
          browser: oneOf(browserKinds, 'The kind of browser.', 'CHROME'),
          version: text('Major version of the browser.', '142', 128),
          browsers: count('Number of active browsers.', 120),
        },
        { description: 'Active browsers of one version.' },
      ),
      'Active browsers by kind and version, the most frequent first.',
      [],
      coverageVersionsMaximum,
    ),
    agents: listOf(
      closed(
        {
          version: text('Version of the agent.', '1.4.0', 128),
          browsers: count('Number of active browsers.', 300),
        },
        { description: 'Active browsers with one version of the agent.' },
      ),
      'Active browsers by version of the agent, the most frequent first.',
      [],
      coverageVersionsMaximum,
    ),
  },
  { $id: 'EnrollmentCoverage', description: 'Coverage of the rollout.' },
)
export type Coverage = Static<typeof Coverage>

/** Operation of the coverage of the rollout. */
export const coverageOperations = {
  readCoverage: consoleOperation({
    method: 'GET',
    path: '/console/api/enrollment-coverage',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the coverage of the rollout, counted at most once a minute.',
    response: Coverage,
  }),
} as const
