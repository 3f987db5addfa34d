import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { ListLink } from '@muster/contract/console/figure-links'
import { type ListSearch, stringifySearch } from '../data/list-search.ts'

/** The page of each list. */
const pagePaths: Readonly<Record<ConsoleListName, string>> = {
  employees: '/employees',
  accounts: '/accounts',
  accountsOther: '/accounts-other',
  apps: '/apps',
  appsOther: '/apps-other',
  browsers: '/browsers',
  browserExtensions: '/installations',
  extensionGroups: '/extensions',
  detections: '/detections',
  findings: '/findings',
  blockedUrls: '/controls/blocked-urls',
}

/** Filters that a list has as long as its address does not say otherwise. */
export const usualFilters: { readonly [N in ConsoleListName]?: Readonly<Record<string, string>> } = {
  detections: { archived: 'false' },
  findings: { state: 'OPEN' },
}

/** Returns the address of a list with these filters and no others. */
export function linkPath({
  list,
  filters,
}: ListLink | { list: ConsoleListName; filters: ListSearch }): string {
  const open = Object.keys(usualFilters[list] ?? {}).map((name) => [name, 'any'])
  return `${pagePaths[list]}${stringifySearch({ ...Object.fromEntries(open), ...filters })}`
}
