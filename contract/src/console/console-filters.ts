import type { Filter } from '../api/collection.ts'
import type { ValueSchema } from '../api/filter-schema.ts'
import { productCategoryIds } from '../catalog/product-categories.ts'
import { labelLengthMaximum, sensitivityLevels } from '../records/app.ts'
import { priorities, riskLevels } from '../risk/risk-levels.ts'
import { consoleLoginMethods } from './login-methods.ts'
import { assigneeMe, assigneeNobody, workStatuses } from './work/work-fields.ts'

/**
 * A filter of console lists that `/v1` does not have. A record must match one of several values.
 * The server finds the rows in `kernel/query/console-predicates.ts`, or in a module (`modules/apps/app-lists.service.ts`).
 */
export interface ConsoleFilter {
  readonly description: string
  readonly schema: ValueSchema
  readonly example: unknown
  /** Set for a bound of a number or a time, which has one value. */
  readonly bound?: Filter<'after' | 'before'>
}

const flag = (description: string): ConsoleFilter => ({
  description,
  schema: { type: 'boolean' },
  example: true,
})

const oneOf = (description: string, values: readonly string[]): ConsoleFilter => ({
  description,
  schema: { type: 'string', enum: values },
  example: values[0],
})

const id = (description: string): ConsoleFilter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: 256 },
  example: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
})

const atLeast = (member: string, description: string): ConsoleFilter => ({
  description,
  schema: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
  example: 10,
  bound: { kind: 'after', member },
})

const time = (kind: 'after' | 'before', description: string): ConsoleFilter => ({
  description,
  schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  example: 1_763_712_000,
  bound: { kind, member: 'lastUsedTimestamp' },
})

const loginMethod = oneOf('Only accounts with a login by one of these methods.', consoleLoginMethods)

/** Kinds of account names: a work address, another address, or a user name that is no address. */
export const identityKinds = ['WORK', 'PRIVATE', 'USER_NAME'] as const
export type IdentityKind = (typeof identityKinds)[number]

/** Accounts that an employee uses AI tools with. */
export const aiUses = ['ANY_ACCOUNT', 'WORK_ACCOUNT', 'PRIVATE_ACCOUNT'] as const

const identity = oneOf(
  'Only accounts whose name is an address of the organization (WORK), another address (PRIVATE), or no address.',
  identityKinds,
)
const aiTool = flag(
  'Only those of an app that is (true) or is not (false) probably an AI tool, by its domain.',
)

/** MFA states of an account. */
export const mfaFilterValues = ['REGISTERED', 'NOT_REGISTERED', 'UNKNOWN'] as const

const appCategory = oneOf('Only records whose app has this main category in the catalog.', productCategoryIds)

const risk = oneOf('Only records with this risk.', riskLevels)
const assignee: ConsoleFilter = {
  description: `Only records that one of these administrators works on, by ID; ${assigneeMe}: the caller; ${assigneeNobody}: no administrator.`,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: assigneeMe,
}

/** Additional filters of console lists by collection name. */
export const consoleFilters: Readonly<Record<string, Readonly<Record<string, ConsoleFilter>>>> = {
  employees: {
    risk,
    activeBrowser: flag('Only employees with (true) or without (false) an active browser.'),
    employeeId: id('Only these employees.'),
    appId: id('Only employees with an account in one of these apps.'),
    otherAppId: id('Only employees with an account in one of these apps (other).'),
    aiUse: oneOf('Only employees with an account of this kind in an AI tool.', aiUses),
    appUsedTimestampAfter: {
      description: 'Only employees who used such an account, by the filters above, at this time or later.',
      schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      example: 1_763_712_000,
      bound: { kind: 'after', member: 'appUsedTimestamp' },
    },
  },
  accounts: {
    mfa: oneOf('Only accounts whose second factor is known to be so.', mfaFilterValues),
    loginMethod,
    passwordSeen: flag('Only accounts whose password was (true) or was not (false) seen.'),
    appCategory,
    identity,
    risk,
  },
  accountsOther: { loginMethod, identity, aiTool },
  appsOther: { aiTool },
  findings: {
    priority: oneOf('Only open findings with this priority.', priorities),
    appSensitivity: oneOf('Only findings whose app has this sensitivity.', sensitivityLevels),
    appCategory,
    workStatus: oneOf('Only findings with this work status.', workStatuses),
    assignee,
  },
  detections: { assignee, incidentId: id('Only the detections of these incidents.') },
  incidents: {
    assignee,
    involvedId: id('Only incidents that concern one of these employees.'),
  },
  browserExtensions: {
    everySite: flag(
      'Only installations that may (true) or may not (false) read and change every site, by their host patterns.',
    ),
  },
  browsers: {
    licensed: flag('Only browsers of employees who are (true) or are not (false) licensed.'),
    group: {
      description: 'Only browsers of employees in one of these groups.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: 'Engineers',
    },
    majorVersion: {
      description: 'Only browsers of this major version.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: '142',
    },
    agentVersion: {
      description: 'Only browsers with this version of the agent.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: '1.4.0',
    },
  },
  apps: {
    risk,
    category: oneOf('Only apps with this main category in the catalog.', productCategoryIds),
    signInMethod: oneOf('Only apps with an account that has this login method.', consoleLoginMethods),
    openFindingsAtLeast: atLeast('openFindings', 'Minimum number of open findings.'),
    peopleAtLeast: atLeast('people', 'Minimum number of employees with an account.'),
    accountsAtLeast: atLeast('accounts', 'Minimum number of accounts.'),
    lastUsedTimestampAfter: time('after', 'Only apps that were last used at this time or later.'),
    lastUsedTimestampBefore: time('before', 'Only apps that were last used before this time.'),
    anyLabel: {
      description: 'Only apps with one of these labels.',
      schema: { type: 'string', minLength: 1, maxLength: labelLengthMaximum },
      example: 'GenAI',
    },
  },
}

/** Filter that excludes one record, for lists of similar records. */
export const exceptFilter: ConsoleFilter = id('All records but this one.')

/** Periods of `createdWithin`, in seconds before now. */
export const creationPeriods = {
  LAST_24_HOURS: 86_400,
  LAST_7_DAYS: 7 * 86_400,
  LAST_30_DAYS: 30 * 86_400,
} as const
export type CreationPeriod = keyof typeof creationPeriods

/** Filter of all lists by a period that ends now. Saved filters and shared links stay current. */
export const createdWithinFilter: ConsoleFilter = oneOf(
  'Only records that were first seen within this period, which ends now.',
  Object.keys(creationPeriods),
)
