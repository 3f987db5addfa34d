import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { ListLink } from '@muster/contract/console/figure-links'
import { linkOptions } from '@tanstack/react-router'
import type { ListSearch } from '../data/list-search.ts'
import type { PagePath } from './record-path.ts'

/** Path of each list's page. */
const pagePaths: Readonly<Record<ConsoleListName, PagePath>> = {
  employees: '/employees',
  accounts: '/accounts',
  accountsOther: '/accounts-other',
  apps: '/apps',
  appsOther: '/apps-other',
  browsers: '/browsers',
  browserExtensions: '/installations',
  extensionGroups: '/extensions',
  detections: '/detections',
  incidents: '/incidents',
  findings: '/findings',
  blockedUrls: '/controls/blocked-urls',
}

/** Default filters of lists. */
export const defaultFilters: { readonly [N in ConsoleListName]?: Readonly<Record<string, string>> } = {
  detections: { archived: 'false' },
  incidents: { status: 'OPEN' },
  findings: { workStatus: 'TO_DO' },
}

/** Returns the link to a list with exactly these filters, without its default filters. */
export function listLink({ list, filters }: ListLink | { list: ConsoleListName; filters: ListSearch }) {
  const open = Object.keys(defaultFilters[list] ?? {}).map((name) => [name, 'any'])
  const search: ListSearch = { ...Object.fromEntries(open), ...filters }
  return linkOptions({ to: pagePaths[list], search })
}
