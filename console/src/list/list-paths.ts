import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { ListLink } from '@muster/contract/console/figure-links'
import { type ListSearch, stringifySearch } from '../data/list-search.ts'

/** Path of each list's page. */
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

/** Default filters of lists. */
export const defaultFilters: { readonly [N in ConsoleListName]?: Readonly<Record<string, string>> } = {
  detections: { archived: 'false' },
  findings: { state: 'OPEN' },
}

/** Returns the path of a list with exactly these filters, without its default filters. */
export function linkPath({
  list,
  filters,
}: ListLink | { list: ConsoleListName; filters: ListSearch }): string {
  const open = Object.keys(defaultFilters[list] ?? {}).map((name) => [name, 'any'])
  return `${pagePaths[list]}${stringifySearch({ ...Object.fromEntries(open), ...filters })}`
}
