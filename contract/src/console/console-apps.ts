import type { Static } from 'typebox'
import { closed, count, flag, id, listOf, nullable, oneOf, text, timestamp } from '../api/fields.ts'
import { productCategoryIds } from '../catalog/product-categories.ts'
import { approvalStatuses } from '../records/app.ts'
import { risk } from '../risk/console-priority.ts'
import { consoleOperation } from './console-operation.ts'
import { consoleLoginMethods } from './login-methods.ts'

/** Members that the console's list of apps has in addition to those of `/v1`. All are exact. */
export const AppFigures = closed(
  {
    category: nullable(
      oneOf(productCategoryIds, 'Main category in the catalog; null for a custom app without one.', 'AI'),
    ),
    people: count(
      'Number of employees with an account. A shared account counts for its primary employee.',
      42,
    ),
    accounts: count('Number of accounts.', 45),
    openFindings: count('Number of open findings about the app.', 3),
    risk,
    lastUsedTimestamp: nullable(
      timestamp('Time when an account was last used; UNIX seconds; null if never.'),
    ),
    signInMethods: listOf(
      oneOf(consoleLoginMethods, 'A login method.', 'PASSWORD'),
      'Login methods that were seen on an account.',
      ['PASSWORD'],
      consoleLoginMethods.length,
    ),
  },
  { $id: 'AppFigures', description: 'Figures of an app.' },
)
export type AppFigures = Static<typeof AppFigures>

/** Number of weeks of charts about apps, including the current one. Weeks begin on Monday, 00:00 UTC. */
export const appWeeks = 12

const weeks = listOf(timestamp('The first second of a week.'), 'The weeks, oldest first.', [], appWeeks)
const perWeek = (description: string) =>
  listOf(count('Number in the week.', 3), description, [3, 0, 5], appWeeks)

const AppSignIns = closed(
  {
    weekTimestamps: weeks,
    methods: listOf(
      closed(
        {
          method: oneOf(consoleLoginMethods, 'The login method.', 'PASSWORD'),
          accounts: perWeek('Number of accounts that last signed in by this method in each week.'),
        },
        { description: 'Last sign-ins by one method.' },
      ),
      'The methods, without those that were not used in these weeks.',
      [],
      consoleLoginMethods.length,
    ),
  },
  { $id: 'AppSignIns', description: 'Sign-ins of the accounts of an app by method and week.' },
)
export type AppSignIns = Static<typeof AppSignIns>

/** Periods of the page about AI tools. A month begins on its first day, 00:00 UTC. */
export const aiPeriods = ['THIS_MONTH', 'LAST_30_DAYS', 'LAST_90_DAYS'] as const
export type AiPeriod = (typeof aiPeriods)[number]

/** Maximum number of AI tools in the response. All are counted. */
export const aiToolsMaximum = 500

const AiTool = closed(
  {
    id: id('ID of the app, or of the app outside the catalog.'),
    name: text('Display name, or domain.', 'ChatGPT', 256, 1),
    recognized: flag(
      'True for an app of the catalog, false for one that is probably an AI tool by its domain.',
    ),
    approvalStatus: nullable(
      oneOf(approvalStatuses, 'Decision of the organization; null if not decided.', 'APPROVED'),
    ),
    people: count('Number of employees who used it in the period.', 12),
    workAccounts: count('Number of used accounts with a work address.', 9),
    privateAccounts: count('Number of used accounts with another address.', 4),
    otherAccounts: count('Number of used accounts with a user name that is no address.', 0),
    lastUsedTimestamp: timestamp('Time when it was last used; UNIX seconds.'),
    creationTimestamp: timestamp('Time when it was first seen; UNIX seconds.'),
  },
  { $id: 'AiTool', description: 'An AI tool that was used in the period.' },
)
export type AiTool = Static<typeof AiTool>

const AiUsage = closed(
  {
    fromTimestamp: timestamp('The first second of the period, which ends now.'),
    tools: listOf(AiTool, 'The tools, most people first.', [], aiToolsMaximum),
    toolCount: count('Number of tools that were used.', 7),
    people: count('Number of employees who used one of them.', 42),
    privatePeople: count('Number of employees who used one of them with a private address.', 5),
    weekTimestamps: weeks,
    newAccounts: perWeek('Number of new accounts in recognized AI tools in each week.'),
    newOtherAccounts: perWeek('Number of new accounts in unrecognized AI tools in each week.'),
  },
  { $id: 'AiUsage', description: 'Use of AI tools.' },
)
export type AiUsage = Static<typeof AiUsage>

/** Operations of the pages about apps. */
export const appPageOperations = {
  readAppSignIns: consoleOperation({
    method: 'GET',
    path: '/console/api/apps/:id/sign-ins',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the sign-ins of the accounts of an app by method and week.',
    response: AppSignIns,
  }),
  readAiUsage: consoleOperation({
    method: 'GET',
    path: '/console/api/ai-usage/:id',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the AI tools that were used in a period. The ID is the period.',
    response: AiUsage,
  }),
} as const
