import { type QueryParameter, queryParameters } from '@muster/contract/api/filter-schema'
import {
  type ConsoleList,
  type ConsoleListName,
  consoleLists,
  listParameters,
} from '@muster/contract/console/console-lists'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import type { Cursor } from '../../kernel/query/scan.ts'
import { listSorted, type SortedRequest } from '../../kernel/query/sorted-list.ts'
import { withAddedMembers } from '../lists/added-members.ts'
import { readCursor, writeCursor } from '../lists/list-cursor.ts'
import { resolveFilters } from '../lists/resolve-filters.ts'
import type { Tool, ToolWorld } from './tool.ts'
import { argumentsSchema, readArguments } from './tool-arguments.ts'
import { fits } from './tool-output.ts'

const limits = { minimum: 1, maximum: 50, default: 20 } as const

/** Time in milliseconds after which a search reads no further part of a list. */
const searchMs = 500

const pageParameters: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: `Maximum number of records, ${limits.default} by default.`,
    schema: { type: 'integer', ...limits },
    maxValues: 1,
    example: limits.default,
  },
  {
    name: 'cursor',
    description: 'nextCursor of the previous answer, with the same other arguments. Leave it out to start.',
    schema: { type: 'string', minLength: 1, maxLength: 1024 },
    maxValues: 1,
    example: 'WzEwMF0',
  },
]

/** Words and filters of each list that assistants can search, in the order of the tools. */
const searches = [
  {
    name: 'search_employees',
    list: 'employees',
    title: 'Search employees',
    about: 'people of the organization, with department, location, groups and license',
    text: 'e-mail address, first and last name',
    more: ['activeBrowser', 'risk'],
  },
  {
    name: 'search_apps',
    list: 'apps',
    title: 'Search apps',
    about: 'apps of the catalog that people use, with owner, approval, sensitivity and labels',
    text: 'name, type and website',
  },
  {
    name: 'search_unrecognized_apps',
    list: 'appsOther',
    title: 'Search unrecognized apps',
    about: 'sites with a sign-in that are not in the catalog, by domain',
    text: 'domain',
  },
  {
    name: 'search_accounts',
    list: 'accounts',
    title: 'Search accounts',
    about:
      'accounts that people have in apps of the catalog, with sign-in methods, second factor and last use',
    text: 'name of the account, mostly an e-mail address',
  },
  {
    name: 'search_unrecognized_accounts',
    list: 'accountsOther',
    title: 'Search accounts in unrecognized apps',
    about: 'accounts that people have in apps that are not in the catalog',
    text: 'name of the account, mostly an e-mail address',
  },
  {
    name: 'search_findings',
    list: 'findings',
    title: 'Search findings',
    about:
      'weaknesses in how people sign in: weak, reused, leaked or stolen passwords, missing second factors. Use state OPEN for what has to be done (priority P1 first), and explain_finding for details of one',
    text: 'the employee and the app of the finding',
    more: ['priority'],
  },
  {
    name: 'search_detections',
    list: 'detections',
    title: 'Search detections',
    about:
      'threats that happened in browsers: phishing, blocked pages, risky extensions. Use archived false for open ones',
    text: 'address of the page, employee and IP address',
    more: ['incidentId'],
  },
  {
    name: 'search_incidents',
    list: 'incidents',
    title: 'Search incidents',
    about:
      'detections that belong together: of one employee, or on a site that many employees came to. Use get_incident for the timeline of one',
    text: 'site: the registrable domain of the pages',
    more: ['involvedId'],
  },
  {
    name: 'search_extensions',
    list: 'browserExtensions',
    title: 'Search browser extensions',
    about:
      'installed browser extensions with their permissions. Each record is one installation in one browser',
    text: 'name and ID of the extension',
  },
  {
    name: 'search_browsers',
    list: 'browsers',
    title: 'Search browsers',
    about: 'enrolled browsers of employees, with version and last contact',
    text: 'e-mail address of the employee',
  },
  {
    name: 'search_blocked_urls',
    list: 'blockedUrls',
    title: 'Search blocked URLs',
    about: 'patterns of addresses that browsers do not open',
    text: 'pattern',
  },
] as const satisfies readonly {
  readonly name: string
  readonly list: ConsoleListName
  readonly title: string
  readonly about: string
  readonly text: string
  /** Filters of the console that the API does not have. */
  readonly more?: readonly string[]
}[]

/** Tools that search the lists of the inventory: the filters of `/v1`, and a text. */
export const searchTools: readonly Tool[] = searches.map((search) => {
  const { name, list: listName, title, about, text } = search
  const more: readonly string[] = 'more' in search ? search.more : []
  const list: ConsoleList = consoleLists[listName]
  const filters = queryParameters({ kind: 'list', path: '/v1/x', summary: '', collection: list.collection })
  const parameters: readonly QueryParameter[] = [
    {
      name: 'text',
      description: `Words to search for in: ${text}. Each word must occur.`,
      schema: { type: 'string', minLength: 1, maxLength: 254 },
      maxValues: 1,
      example: 'ada',
    },
    ...filters.filter(({ filter }) => filter !== undefined),
    ...listParameters(list).filter(({ name }) => more.includes(name)),
    ...pageParameters,
  ]
  return {
    name,
    title,
    description: `Find ${about}. Newest first. All arguments are optional; a record must match all that are given. Times are UNIX seconds.`,
    inputSchema: argumentsSchema(parameters),
    run: async (world, { principal }, given) => {
      const { text, limit = limits.default, cursor, ...filters } = readArguments(given, parameters)
      const start = cursor === undefined ? undefined : readCursor(String(cursor), undefined, 'body')
      const request = await resolveFilters(world.db.slow, unixSeconds(world.clock), {
        collection: list.collection,
        org: principal.org,
        filters,
        search: text === undefined ? undefined : searchOf(list, String(text)),
        sort: { member: 'creationTimestamp', descending: true },
      })
      return readPage(world, request, start, Number(limit))
    },
  }
})

const searchOf = ({ search: members, searchThrough: through }: ConsoleList, text: string) => ({
  members,
  ...(through && { through }),
  text,
})

/** Reads a page that fits into an answer: with fewer records, if they are long. */
async function readPage(
  world: ToolWorld,
  request: SortedRequest,
  start: Cursor | undefined,
  limit: number,
): Promise<unknown> {
  const untilMs = performance.now() + searchMs
  const texts: string[] = []
  let cursor = start
  do {
    const page = await listSorted(world.db, { ...request, cursor, limit: limit - texts.length })
    texts.push(...page.records)
    cursor = page.next
  } while (cursor && texts.length < limit && performance.now() < untilMs)
  const records = (await withAddedMembers(world.db, request, unixSeconds(world.clock), texts)).map(
    (record): unknown => JSON.parse(record),
  )
  if (records.length > 1 && !fits(records))
    return readPage(world, request, start, Math.floor(records.length / 2))
  return {
    records,
    nextCursor: cursor ? writeCursor(cursor) : null,
    ...(cursor && {
      hint: 'There may be more. Repeat the call with cursor set to nextCursor, or narrow it by filters.',
    }),
  }
}
