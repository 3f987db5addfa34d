import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { CsvColumnName } from '@muster/contract/console/csv-columns'
import type { ReactNode } from 'react'
import type { ListSearch } from '../data/list-search.ts'
import type { ListRecord } from '../data/lists.ts'

/** A column of a list. The first is always shown and leads to the record. */
export interface Column<R, C extends string = string> {
  readonly id: string
  readonly title: string
  /** A track of the grid: `minmax(12rem, 2fr)`. */
  readonly width: string
  readonly render: (record: R) => ReactNode
  /** The column of the CSV file that has the same. */
  readonly csv: C
  /** The member that it is sorted by, where that can be. */
  readonly sort?: string
  /** A figure: it stands at the right, under the others. */
  readonly number?: true
  /** A time: a phone shows it beside the name. */
  readonly time?: true
  /** Only shown when it is chosen. */
  readonly hidden?: boolean
}

/** Something that is done to the records that are marked, or to the one that the keys are at. */
export interface BulkAction<R> {
  readonly id: string
  readonly title: string
  /** Does it to the record that the keys are at, or to those that are marked. */
  readonly key?: string
  readonly run: (record: R) => Promise<unknown>
  /** Does it to all of them in one request, where that can be. */
  readonly runAll?: (records: readonly R[]) => Promise<unknown>
  /** Makes a record again what it was, as far as the action has changed it. Left out where that cannot be. */
  readonly undo?: (before: R) => Promise<unknown>
  /** Whether records leave the list by it, as the list is searched now. */
  readonly leaves?: (search: ListSearch) => boolean
  /** What is told afterwards. */
  readonly done: (count: number) => string
}

/** A list as data: everything that the page of a collection is made of. */
export interface ListPlan<N extends ConsoleListName = ConsoleListName> {
  readonly name: N
  readonly title: string
  /** `1 employee`, `2 employees`. */
  readonly counted: readonly [one: string, many: string]
  readonly searchHint: string
  readonly columns: readonly Column<ListRecord<N>, CsvColumnName<N>>[]
  /** Filters with a few values that are offered at once, the most used first. */
  readonly quickFilters: readonly string[]
  /** Filters that are only reached by links: ids. */
  readonly hiddenFilters?: readonly string[]
  readonly pathOf: (record: ListRecord<N>) => string
  readonly nameOf: (record: ListRecord<N>) => string
  readonly actions?: readonly BulkAction<ListRecord<N>>[]
  /** Stands beside the title: what begins something new. */
  readonly head?: ReactNode
  /** Stands under the title. */
  readonly note?: ReactNode
  /** What the list asks for when the address says nothing of it. */
  readonly usual?: Readonly<Record<string, string>>
  readonly empty: { readonly title: string; readonly text: ReactNode }
}
