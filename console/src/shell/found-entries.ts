import type { ConsoleSearch, FoundRecords, SearchedList } from '@muster/contract/console/search/global-search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  AppWindow,
  Ban,
  Contact,
  Globe,
  type LucideIcon,
  Puzzle,
  Search,
  ShieldAlert,
  UserRound,
} from 'lucide-react'
import { appTypeName } from '../data/app-names.ts'
import { send } from '../data/console-send.ts'
import { stringifySearch } from '../data/list-search.ts'
import { personName } from '../data/person.ts'
import { listLink } from '../list/list-paths.ts'
import { recordPath } from '../list/record-path.ts'
import { pageHost } from '../pages/detections/page-host.ts'
import { counted } from '../ui/text/counted.ts'
import { labelOf } from '../ui/text/labels.ts'
import { nowSeconds, sinceText } from '../ui/text/moment-text.ts'
import type { PaletteEntry, PaletteGroup } from './palette-entries.ts'

/** Presentation of the found records of a list. */
interface FoundList<N extends SearchedList> {
  readonly heading: string
  readonly icon: LucideIcon
  readonly entryOf: (record: FoundRecords<N>['records'][number]) => Pick<PaletteEntry, 'title' | 'remark'>
  /** Returns the path of a record's page. Without one, the entry opens the list. */
  readonly pathOf?: (id: string) => string
}

const foundLists: { readonly [N in SearchedList]: FoundList<N> } = {
  employees: {
    heading: 'Employees',
    icon: UserRound,
    entryOf: (person) => ({ title: personName(person), remark: person.email }),
    pathOf: (id) => recordPath('/employees/$id', id),
  },
  accounts: {
    heading: 'Accounts',
    icon: Contact,
    entryOf: ({ email, appType }) => ({ title: email, remark: appTypeName(appType) }),
    pathOf: (id) => recordPath('/accounts/$id', id),
  },
  accountsOther: {
    heading: 'Unrecognized accounts',
    icon: Contact,
    entryOf: ({ email }) => ({ title: email }),
    pathOf: (id) => recordPath('/accounts-other/$id', id),
  },
  apps: {
    heading: 'Apps',
    icon: AppWindow,
    entryOf: ({ friendlyName, website }) => ({
      title: friendlyName,
      remark: website.replace(/^https?:\/\//, ''),
    }),
    pathOf: (id) => recordPath('/apps/$id', id),
  },
  appsOther: {
    heading: 'Unrecognized apps',
    icon: AppWindow,
    entryOf: ({ domain }) => ({ title: domain }),
    pathOf: (id) => recordPath('/apps-other/$id', id),
  },
  browsers: {
    heading: 'Browsers',
    icon: Globe,
    entryOf: ({ browser, version, os, email }) => ({
      title: `${labelOf(browser)} ${version.split('.')[0]} on ${labelOf(os)}`,
      remark: email,
    }),
    pathOf: (id) => recordPath('/browsers/$id', id),
  },
  extensionGroups: {
    heading: 'Browser extensions',
    icon: Puzzle,
    entryOf: ({ name, extensionId, browsers }) => ({
      title: name || extensionId,
      remark: `in ${counted(browsers, 'browser')}`,
    }),
    pathOf: (id) => recordPath('/extensions/$id', id),
  },
  detections: {
    heading: 'Detections',
    icon: ShieldAlert,
    entryOf: ({ detectionType, url, employee, creationTimestamp }) => ({
      title: [labelOf(detectionType), pageHost(url)].filter(Boolean).join(' · '),
      remark: `${personName(employee)}, ${sinceText(creationTimestamp, nowSeconds())}`,
    }),
    pathOf: (id) => recordPath('/detections/$id', id),
  },
  blockedUrls: {
    heading: 'Blocked addresses',
    icon: Ban,
    entryOf: ({ url }) => ({ title: url }),
  },
}

const shortestSearch = 2

/** Searches the inventory, in one request. Shows the previous results until the next ones have arrived. */
export function useFound(text: string): { groups: PaletteGroup[]; looking: boolean } {
  const enabled = text.length >= shortestSearch
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) =>
      send<ConsoleSearch>('GET', `/console/api/search?${new URLSearchParams({ text })}`, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
  if (!enabled) return { groups: [], looking: false }
  const groups = (Object.keys(foundLists) as SearchedList[]).map((list) => groupOf(list, data?.[list], text))
  return { groups, looking: isPending || isPlaceholderData }
}

/** Returns the entries of a list's records, with one that continues the search in the list. */
function groupOf<N extends SearchedList>(
  list: N,
  found: FoundRecords<N> | undefined,
  text: string,
): PaletteGroup {
  const { heading, icon, entryOf, pathOf }: FoundList<N> = foundLists[list]
  const { to, search } = listLink({ list, filters: { search: text } })
  const path = `${to}${stringifySearch(search)}`
  const entries = (found?.records ?? []).map(
    (record): PaletteEntry => ({
      id: record.id,
      icon,
      path: pathOf?.(record.id) ?? path,
      ...entryOf(record),
    }),
  )
  const all = { id: `all ${list}`, icon: Search, title: `All matches in ${heading.toLowerCase()}`, path }
  return { heading, entries: found?.more ? [...entries, all] : entries }
}
