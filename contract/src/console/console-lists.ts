import { accounts } from '../account.ts'
import { accountsOther } from '../account-other.ts'
import { apps } from '../app.ts'
import { appsOther } from '../app-other.ts'
import { blockedUrls } from '../blocked-url.ts'
import { browsers } from '../browser.ts'
import { browserExtensions } from '../browser-extension.ts'
import type { Collection } from '../collection.ts'
import { detections } from '../detection.ts'
import { employees } from '../employee.ts'
import { type QueryParameter, queryParameters } from '../filter-schema.ts'
import { findings } from '../finding.ts'
import { consoleFilters, exceptFilter } from './console-filters.ts'
import { extensionGroups } from './extension-group.ts'

/**
 * A list of the console: a collection, with what `/v1` does not have. A list can be sorted by what has an index, so
 * that the first page of a million records costs no more than that of a hundred.
 */
export interface ConsoleList {
  readonly collection: Collection
  /** Sorts, both ways; creation is the order of `/v1`. Most are members of the record. */
  readonly sorts: readonly string[]
  /** Members that a search looks into, as paths; a search of one member with an index of its own is quick. */
  readonly search: readonly string[]
  /** Records that a search looks into besides, by the members that name them. */
  readonly searchThrough?: readonly SearchThrough[]
}

/** A record that another one names: its employee, or its app. */
export type SearchThrough = 'employeeId' | 'appType'

const byCreation = ['creationTimestamp']

/**
 * `GET /console/api/lists/<name>`, and below it `/count` and `/export`; `READ_ONLY` may read them. A file is in the order of
 * creation whatever the sort: what else is sorted by may change while it is written.
 */
export const consoleLists = {
  employees: {
    collection: employees,
    sorts: [...byCreation, 'name', 'email'],
    search: ['email', 'firstName', 'lastName'],
  },
  accounts: { collection: accounts, sorts: [...byCreation, 'lastUsedTimestamp'], search: ['email'] },
  accountsOther: {
    collection: accountsOther,
    sorts: [...byCreation, 'lastUsedTimestamp'],
    search: ['email'],
  },
  apps: {
    collection: apps,
    sorts: [...byCreation, 'friendlyName'],
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
    sorts: [...byCreation, 'lastActivityTimestamp', 'severity'],
    search: ['url', 'employee.email', 'employee.firstName', 'employee.lastName', 'sourceIpAddress'],
  },
  findings: {
    collection: findings,
    sorts: [...byCreation, 'lastUpdatedTimestamp'],
    search: [],
    searchThrough: ['employeeId', 'appType'],
  },
  blockedUrls: { collection: blockedUrls, sorts: byCreation, search: ['url'] },
} as const satisfies Record<string, ConsoleList>

export type ConsoleListName = keyof typeof consoleLists

/** How many values of one filter may be given, of which a record must have one. */
export const choicesMaximum = 20

/** How many records of a list are counted at most; beyond them it is `10,000+`. */
export const countMaximum = 10_000

/** Number of values of a filter that are offered at once, and the number up to which the records of one are counted. */
export const valuesShown = 30
export const valueCountMaximum = 1000

export const consolePageLimits = { minimum: 1, maximum: 500, default: 100 } as const
export const exportFormats = ['csv', 'json'] as const

/** A page of a list. */
export interface ConsolePage<R = Record<string, unknown>> {
  readonly records: readonly R[]
  /** To be passed as `cursor` for what follows; null at the end. A page may be short, or empty, and yet go on. */
  readonly cursor: string | null
}

/** How many records meet the filters of a list. */
export interface ConsoleCount {
  readonly count: number
  /** There are more than that: the counting was ended. */
  readonly more: boolean
}

/** The values of a filter: `GET /console/api/lists/<name>/values`. */
export interface ConsoleValues {
  readonly values: readonly {
    readonly value: string
    /** The text by which people know it; null if that is the value itself. */
    readonly text: string | null
    /**
     * Number of records with it: of an enumeration, those that meet the other filters, else all. `more` says that there are
     * more than were counted.
     */
    readonly count: number
    readonly more: boolean
  }[]
  /** There are more values: a longer text finds them. */
  readonly more: boolean
}

/**
 * Query parameters of a list: the filters of `/v1`, of which exact ones take several values (a record must have one of
 * them), the filters that only the console has, then `sort`, `search`, `limit` and `cursor`.
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
    ...Object.entries({ ...own, except: exceptFilter }).map(([name, filter]) => ({
      name,
      ...filter,
      maxValues: choicesMaximum,
      filter: { kind: 'exact', member: name } as const,
    })),
    {
      ...{
        name: 'sort',
        description:
          'What to sort by; with - in front, the largest first. A file is in the order of creation, that way round.',
      },
      schema: { type: 'string', enum: sort },
      maxValues: 1,
      example: sort[1],
    },
    {
      name: 'search',
      description: 'Words, each of which one of the searched members must hold.',
      schema: { type: 'string', minLength: 1, maxLength: 254 },
      maxValues: 1,
      example: 'ada',
    },
    {
      name: 'limit',
      description: 'Number of records to return at most.',
      schema: { type: 'integer', ...consolePageLimits },
      maxValues: 1,
      example: 100,
    },
    {
      name: 'cursor',
      description: 'The cursor of the page before.',
      schema: { type: 'string', minLength: 1, maxLength: 1024 },
      maxValues: 1,
      example: 'WzEwMF0',
    },
  ]
}
