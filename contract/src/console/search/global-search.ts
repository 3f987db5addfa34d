import type { RecordOf } from '../../api/collection.ts'
import type { ConsoleListName, consoleLists } from '../console-lists.ts'

/** Lists that `GET /console/api/search` looks through, in the order of its answer. */
export const searchedLists = [
  'employees',
  'accounts',
  'accountsOther',
  'apps',
  'appsOther',
  'browsers',
  'extensionGroups',
  'detections',
  'blockedUrls',
] as const satisfies readonly ConsoleListName[]

export type SearchedList = (typeof searchedLists)[number]

/** Maximum number of records that a search returns of each list. */
export const foundMaximum = 5

/** Minimum and maximum length of the text. */
export const searchTextLimits = { minLength: 2, maxLength: 254 } as const

/** Records of one list that a search found, the newest first. */
export interface FoundRecords<N extends SearchedList> {
  readonly records: readonly (RecordOf<(typeof consoleLists)[N]['collection']> & { readonly id: string })[]
  /** True if there are more, or may be more because the search stopped before the end of the list. */
  readonly more: boolean
}

/** Answer of `GET /console/api/search`. Lists without a match and without more to search are left out. */
export type ConsoleSearch = { readonly [N in SearchedList]?: FoundRecords<N> }
