import type { Static, TObject } from 'typebox'
import type { Collection } from '../api/collection.ts'
import { closed } from '../api/fields.ts'
import { type QueryParameter, queryParameters } from '../api/filter-schema.ts'
import { accounts } from '../records/account.ts'
import { accountsOther } from '../records/account-other.ts'
import { apps } from '../records/app.ts'
import { appsOther } from '../records/app-other.ts'
import { blockedUrls } from '../records/blocked-url.ts'
import { browsers } from '../records/browser.ts'
import { browserExtensions } from '../records/browser-extension.ts'
import { detections } from '../records/detection.ts'
import { employees } from '../records/employee.ts'
import { findings } from '../records/finding.ts'
import { FindingPriority, RecordRisk } from '../risk/console-priority.ts'
import { AppFigures } from './console-apps.ts'
import { consoleFilters, createdWithinFilter, exceptFilter } from './console-filters.ts'
import { extensionGroups } from './extension-group.ts'
import { IncidentAdditions, incidents } from './incidents/incident.ts'
import { DetectionWork, FindingWork } from './work/work-fields.ts'

/**
 * A list of the console: a collection with additional features. Lists are sorted by indexed members, so the first page
 * costs the same for a hundred and for a million records. Only the list of apps, which has some thousand at most, also
 * has orders that are computed.
 */
export interface ConsoleList {
  readonly collection: Collection
  /** Sort orders, in both directions. `/v1` sorts by creation. Most are members of the record. */
  readonly sorts: readonly string[]
  /** Paths of the searched members. A search of a single indexed member is fast. */
  readonly search: readonly string[]
  /** Referenced records that are also searched, by the members that refer to them. */
  readonly searchThrough?: readonly SearchThrough[]
  /** Members that its records have in addition to those of the collection. */
  readonly adds?: TObject
}

/** A referenced record: an employee or an app. */
export type SearchThrough = 'employeeId' | 'appType'

const byCreation = ['creationTimestamp']

const FindingAdditions = closed(
  { ...FindingPriority.properties, ...FindingWork.properties },
  { $id: 'FindingAdditions', description: 'Priority of a finding, and the work on it.' },
)

/**
 * `GET /console/api/lists/<name>`, and below it `/count` and `/export`; all need `READ_ONLY`. Exports are always in order
 * of creation, because other members may change while the file is written.
 */
export const consoleLists = {
  employees: {
    collection: employees,
    adds: RecordRisk,
    sorts: [...byCreation, 'name', 'email', 'risk'],
    search: ['email', 'firstName', 'lastName'],
  },
  accounts: {
    collection: accounts,
    adds: RecordRisk,
    sorts: [...byCreation, 'lastUsedTimestamp', 'risk'],
    search: ['email'],
  },
  accountsOther: {
    collection: accountsOther,
    sorts: [...byCreation, 'lastUsedTimestamp'],
    search: ['email'],
  },
  apps: {
    collection: apps,
    adds: AppFigures,
    sorts: [
      ...byCreation,
      'friendlyName',
      'category',
      'people',
      'accounts',
      'openFindings',
      'risk',
      'lastUsedTimestamp',
      'sensitivityLevel',
      'approvalStatus',
      'signInMethods',
    ],
    search: ['friendlyName', 'type', 'website'],
  },
  appsOther: { collection: appsOther, sorts: byCreation, search: ['domain'] },
  browsers: { collection: browsers, sorts: [...byCreation, 'lastOnlineTimestamp'], search: ['email'] },
  browserExtensions: { collection: browserExtensions, sorts: byCreation, search: ['name', 'extensionId'] },
  extensionGroups: {
    collection: extensionGroups,
    sorts: [...byCreation, 'browsers', 'people', 'riskScore'],
    search: ['name', 'extensionId'],
  },
  detections: {
    collection: detections,
    adds: DetectionWork,
    sorts: [...byCreation, 'lastActivityTimestamp', 'severity'],
    search: ['url', 'employee.email', 'employee.firstName', 'employee.lastName', 'sourceIpAddress'],
  },
  incidents: {
    collection: incidents,
    adds: IncidentAdditions,
    sorts: [...byCreation, 'lastActivityTimestamp', 'severity', 'people', 'detections', 'openDetections'],
    search: ['site'],
  },
  findings: {
    collection: findings,
    adds: FindingAdditions,
    sorts: [...byCreation, 'lastUpdatedTimestamp', 'priority'],
    search: [],
    searchThrough: ['employeeId', 'appType'],
  },
  blockedUrls: { collection: blockedUrls, sorts: byCreation, search: ['url'] },
} as const satisfies Record<string, ConsoleList>

export type ConsoleListName = keyof typeof consoleLists

/** Members that a list adds to its records. */
export type AddedMembers<N extends ConsoleListName> = (typeof consoleLists)[N] extends {
  readonly adds: infer A extends TObject
}
  ? Static<A>
  : unknown

/** Maximum number of values of one filter. A record must match one of them. */
export const choicesMaximum = 20

/** Maximum number of offered filter values. */
export const valuesShown = 30

export const consolePageLimits = { minimum: 1, maximum: 500, default: 100 } as const
export const exportFormats = ['csv', 'json'] as const

/** A page of a list. */
export interface ConsolePage<R = Record<string, unknown>> {
  readonly records: readonly R[]
  /** `cursor` of the next page; null at the end. A page may be short or empty even if more follow. */
  readonly cursor: string | null
}

/** Number of records that match the filters of a list. */
export interface ConsoleCount {
  readonly count: number
  /** True if the count took too long and ended early: there are at least that many. */
  readonly more: boolean
}

/** The values of a filter: `GET /console/api/lists/<name>/values`. */
export interface ConsoleValues {
  readonly values: readonly {
    readonly value: string
    /** Readable text; null if it equals the value. */
    readonly text: string | null
    /** Number of records with this value; null if the count took too long. For enumerations the other filters apply. */
    readonly count: number | null
  }[]
  /** True if there are more values, which a longer text finds. */
  readonly more: boolean
}

/**
 * Query parameters of a list: the filters of `/v1` (exact ones accept several values, of which a record must match one),
 * the console's additional filters, then `sort`, `search`, `limit` and `cursor`.
 */
export function listParameters(list: ConsoleList): readonly QueryParameter[] {
  const { collection, sorts } = list
  const filters = queryParameters({ kind: 'list', path: '/v1/x', summary: '', collection })
  const sort = sorts.flatMap((member) => [member, `-${member}`])
  const { [collection.name]: own = {} } = consoleFilters
  return [
    ...filters
      .filter(({ filter }) => filter !== undefined)
      .map((parameter) =>
        parameter.filter?.kind === 'exact' || parameter.filter?.kind === 'has'
          ? { ...parameter, maxValues: choicesMaximum }
          : parameter,
      ),
    ...Object.entries({ ...own, except: exceptFilter, createdWithin: createdWithinFilter }).map(
      ([name, { bound, ...filter }]) => ({
        name,
        ...filter,
        maxValues: bound || name === 'createdWithin' ? 1 : choicesMaximum,
        filter: bound ?? ({ kind: 'exact', member: name } as const),
      }),
    ),
    {
      name: 'sort',
      description:
        'Sort order; a leading - sorts descending. Files are always in order of creation, in this direction.',
      schema: { type: 'string', enum: sort },
      maxValues: 1,
      example: sort[1],
    },
    {
      name: 'search',
      description: 'Words to search for. Each must occur in one of the searched members.',
      schema: { type: 'string', minLength: 1, maxLength: 254 },
      maxValues: 1,
      example: 'ada',
    },
    {
      name: 'limit',
      description: 'Maximum number of records to return.',
      schema: { type: 'integer', ...consolePageLimits },
      maxValues: 1,
      example: 100,
    },
    {
      name: 'cursor',
      description: 'Cursor from the previous page.',
      schema: { type: 'string', minLength: 1, maxLength: 1024 },
      maxValues: 1,
      example: 'WzEwMF0',
    },
  ]
}
