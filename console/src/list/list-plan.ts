import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { CsvColumnName } from '@muster/contract/console/csv-columns'
import type { ReactNode } from 'react'
import type { ListSearch } from '../data/list-search.ts'
import type { ListRecord } from '../data/lists.ts'

/** A column of a list. The first one is always visible and links to the record. */
export interface Column<R, C extends string = string> {
  readonly id: string
  readonly title: string
  /** CSS grid track: `minmax(12rem, 2fr)`. */
  readonly width: string
  readonly render: (record: R) => ReactNode
  /** Matching column of the CSV export. */
  readonly csv: C
  /** Member to sort by, if the column is sortable. */
  readonly sort?: string
  /** Right-aligned number. */
  readonly number?: true
  /** Time column. Phones show one next to the name. */
  readonly time?: true
  /** Hidden by default. */
  readonly hidden?: boolean
}

/** An action on the selected records, or on the active one. */
export interface BulkAction<R> {
  readonly id: string
  readonly title: string
  /** Keyboard shortcut. */
  readonly key?: string
  readonly run: (record: R) => Promise<unknown>
  /** Handles all records in one request, if the API supports it. */
  readonly runAll?: (records: readonly R[]) => Promise<unknown>
  /** Restores what the action changed. Omitted if it cannot be undone. */
  readonly undo?: (before: R) => Promise<unknown>
  /** Restores all records in one request, if the API supports it. Replaces `undo`. */
  readonly undoAll?: (before: readonly R[]) => Promise<unknown>
  /** Returns true if the records leave the list under the current search. */
  readonly leaves?: (search: ListSearch) => boolean
  /** Returns the toast text. */
  readonly done: (count: number) => string
}

/** Records that a dialog changes: some of a list, or all that match its filters. */
export type Selection = { readonly ids: readonly string[] } | { readonly query: string }

/** A change of the selected records that a dialog asks for. It can also change all records that match the filters. */
export interface BulkDialog {
  readonly id: string
  readonly title: string
  readonly render: (dialog: { readonly selection: Selection; readonly onClose: () => void }) => ReactNode
}

/** A button that turns filters on and off. They replace a custom range of the creation time. */
export interface ListPreset {
  readonly title: string
  readonly filters: Readonly<Record<string, string>>
}

/** Declarative description of a list page. */
export interface ListPlan<N extends ConsoleListName = ConsoleListName> {
  readonly name: N
  readonly title: string
  /** `1 employee`, `2 employees`. */
  readonly counted: readonly [one: string, many: string]
  readonly searchHint: string
  readonly columns: readonly Column<ListRecord<N>, CsvColumnName<N>>[]
  /** Filters shown directly above the list, most used first. */
  readonly quickFilters: readonly string[]
  /** Filters that one button turns on and off. */
  readonly presets?: readonly ListPreset[]
  /** ID filters that only links set. */
  readonly hiddenFilters?: readonly string[]
  readonly pathOf: (record: ListRecord<N>) => string
  readonly nameOf: (record: ListRecord<N>) => string
  readonly actions?: readonly BulkAction<ListRecord<N>>[]
  readonly bulkDialogs?: readonly BulkDialog[]
  /** Actions next to the title. */
  readonly head?: ReactNode
  /** Text below the title. */
  readonly note?: ReactNode
  /** Default search parameters. */
  readonly defaults?: Readonly<Record<string, string>>
  readonly empty: { readonly title: string; readonly text: ReactNode }
}
