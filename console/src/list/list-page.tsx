import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { useMatch, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../data/console-send.ts'
import {
  type ListSearch,
  listQuery,
  stringifySearch,
  withDefaults,
  withoutDefaults,
} from '../data/list-search.ts'
import { knownParameters, type ListRecord, useCount, useList } from '../data/lists.ts'
import { isRetryable } from '../data/missing-data.ts'
import { useHasRole } from '../data/session.ts'
import { PushButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { UnknownFilters } from '../ui/page/unknown-filters.tsx'
import { useStoredState } from '../ui/stored-state.ts'
import { counted } from '../ui/text/counted.ts'
import { BulkBar } from './bulk-bar.tsx'
import { useColumnWidths } from './column-widths.ts'
import { FilterChips } from './filter-chips.tsx'
import { ListGrid } from './list-grid.tsx'
import type { BulkAction, BulkDialog, ListPlan } from './list-plan.ts'
import { ListTools } from './list-tools.tsx'
import { useBulk } from './use-bulk.ts'
import { useListKeys } from './use-list-keys.ts'
import { activeRowOf, rememberList, rowAmong, saveActiveRow } from './visited-lists.ts'

/** Renders a list from its plan. Filters, search and sort order are in the URL, so they can be bookmarked and shared. */
export function ListPage<N extends ConsoleListName>({ plan }: { plan: ListPlan<N> }) {
  const navigate = useNavigate()
  // The path of the rendered page. `useLocation` already returns the next page while that is loading.
  const path = useMatch({ strict: false }).fullPath
  const inAddress = useSearch({ strict: false })
  const search = useMemo(() => withDefaults(inAddress, plan.defaults), [plan, inAddress])
  const setSearch = (change: ListSearch) => {
    const next = { ...inAddress, ...withoutDefaults(change, plan.defaults) }
    void navigate({ to: '.', search: next, replace: true })
  }
  const clearAll = () => void navigate({ to: '.', search: {}, replace: true })
  const list = useList(plan.name, search)
  const count = useCount(plan.name, search)
  const records = useMemo(() => list.data?.pages.flatMap((page) => page.records) ?? [], [list.data])
  const allCounted = count.data && !count.data.more ? count.data.count : undefined
  const total = list.hasNextPage ? allCounted : records.length
  const [columns, setColumns] = useStoredState<string[]>(
    `columns.${plan.name}`,
    plan.columns.filter(({ hidden }) => !hidden).map(({ id }) => id),
  )
  const { widths, setWidth } = useColumnWidths(plan.name)
  const shown = plan.columns.filter(({ id }, index) => index === 0 || columns.includes(id))
  const query = `${plan.name} ${stringifySearch(search)}`
  const [kept, setRow] = useState(() => activeRowOf(query))
  const row = list.isPlaceholderData ? kept : rowAmong(kept, records)
  if (row !== kept) setRow(row)
  const active = row.index
  const setActive = (index: number) => {
    const next = { index, id: records[index]?.id }
    saveActiveRow(query, next)
    setRow(next)
  }
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const searchInput = useRef<HTMLInputElement>(null)
  const open = (record: ListRecord<N> | undefined) => record && void navigate({ to: plan.pathOf(record) })
  const mayWrite = useHasRole('FULL_ACCESS')
  const dialogs = (mayWrite && plan.bulkDialogs) || []
  const actions = mayWrite && (plan.actions || dialogs.length > 0) ? (plan.actions ?? []) : undefined
  const [matching, setMatching] = useState(false)
  const [dialog, setDialog] = useState<BulkDialog>()
  const selectOnly = (ids: ReadonlySet<string>) => {
    setMatching(false)
    setSelected(ids)
  }
  const bulk = useBulk(plan, search)
  const runAction = (action: BulkAction<ListRecord<N>>, on: readonly ListRecord<N>[]) => {
    selectOnly(new Set())
    bulk.runAction(action, on)
  }
  const chosen = records.filter(({ id }) => selected.has(id))
  // A key may be pressed again before the affected records have been removed from the page.
  const staying = (some: readonly ListRecord<N>[]) => some.filter(({ id }) => !bulk.leaving.has(id))
  const actByKey = (action: BulkAction<ListRecord<N>>) => {
    const on = staying(chosen)
    runAction(action, on.length > 0 ? on : staying(records.slice(active)).slice(0, 1))
  }
  useEffect(() => {
    setRow(activeRowOf(query))
    setMatching(false)
    setSelected(new Set())
  }, [query])
  useEffect(
    () => rememberList({ path, search: inAddress, paths: records.map(plan.pathOf), count: total }),
    [path, inAddress, records, plan, total],
  )

  const toggle = (id: string | undefined) => {
    if (id === undefined) return
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    selectOnly(next)
  }
  const toggleAll = () =>
    selectOnly(selected.size >= records.length ? new Set() : new Set(records.map(({ id }) => id)))
  useListKeys({
    count: records.length,
    active,
    setActive,
    open: () => open(records[active]),
    toggle: () => toggle(records[active]?.id),
    toggleAll,
    clear: () => selectOnly(new Set()),
    search: () => searchInput.current?.focus(),
    actions: actions?.flatMap((action) =>
      action.key === undefined ? [] : [{ key: action.key, title: action.title, run: () => actByKey(action) }],
    ),
  })

  const filtered = Object.keys(inAddress).some((name) => name !== 'sort')
  const refused = list.error && !list.data && !isRetryable(list.error)
  const nothing = list.data && records.length === 0 && !list.hasNextPage
  return (
    <div className="page list">
      <PageHead title={plan.title} aside={<CountText count={count.data} words={plan.counted} />}>
        {plan.head}
      </PageHead>
      {plan.note}
      <ListTools
        plan={plan}
        search={search}
        onSearch={setSearch}
        searchInput={searchInput}
        columns={columns}
        onColumns={setColumns}
      />
      <UnknownFilters search={inAddress} known={knownParameters(plan.name)} onSearch={setSearch} />
      <FilterChips plan={plan} search={search} onSearch={setSearch} />
      {refused ? (
        <EmptyState title="Could not load this list">
          <p className="soft">{messageOf(list.error)}</p>
          <PushButton onClick={clearAll}>Clear filters</PushButton>
        </EmptyState>
      ) : nothing ? (
        <EmptyState title={filtered ? 'No results' : plan.empty.title}>
          {filtered ? (
            <>
              <p className="soft">No records match these filters.</p>
              <PushButton onClick={clearAll}>Clear filters</PushButton>
            </>
          ) : (
            <div className="soft">{plan.empty.text}</div>
          )}
        </EmptyState>
      ) : (
        <ListGrid
          label={plan.title}
          columns={shown}
          records={records}
          waiting={list.isPending}
          stale={list.isPlaceholderData}
          more={list.hasNextPage}
          loadMore={() => {
            if (!list.isFetching) void list.fetchNextPage()
          }}
          loadingMore={list.isFetchingNextPage}
          moreError={list.isFetchNextPageError ? list.error : null}
          sort={typeof search.sort === 'string' ? search.sort : undefined}
          onSort={(sort) => setSearch({ sort })}
          widths={widths}
          onWidth={setWidth}
          active={active}
          onActive={setActive}
          selected={selected}
          onToggle={toggle}
          onToggleAll={toggleAll}
          selectable={actions !== undefined}
          pathOf={plan.pathOf}
          nameOf={plan.nameOf}
        />
      )}
      {actions && chosen.length > 0 && (
        <BulkBar
          count={chosen.length}
          actions={actions}
          dialogs={dialogs}
          matching={matching}
          busy={bulk.isPending}
          onRun={(action) => runAction(action, chosen)}
          onDialog={setDialog}
          onAll={chosen.length < records.length ? toggleAll : undefined}
          onMatching={
            dialogs.length > 0 && !matching && chosen.length === records.length && list.hasNextPage
              ? () => setMatching(true)
              : undefined
          }
          onClear={() => selectOnly(new Set())}
        />
      )}
      {dialog?.render({
        selection: matching ? { query: filtersOf(plan.name, search) } : { ids: chosen.map(({ id }) => id) },
        onClose: () => setDialog(undefined),
      })}
    </div>
  )
}

/** Returns the filters and the search of a list as a query. */
function filtersOf(name: ConsoleListName, { sort: _sort, ...search }: ListSearch): string {
  return listQuery(search, knownParameters(name)).toString()
}

function CountText({
  count,
  words,
}: {
  count: { count: number; more: boolean } | undefined
  words: readonly [string, string]
}) {
  if (!count) return <span className="soft">…</span>
  return (
    <span className="soft" role="status">
      {counted(count.count, ...words, count.more)}
    </span>
  )
}
