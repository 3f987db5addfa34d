import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ConsoleError, messageOf } from '../data/console-send.ts'
import { neighbourOf } from '../list/visited-lists.ts'
import { EmptyState } from './empty-state.tsx'
import { Page } from './page.tsx'
import { useKeys } from './use-keys.ts'

const group = 'This record'

/** The frame of a record's page: the way back, and what stands there while it is not to be had. */
export function RecordPage<R>({
  query,
  list,
  children,
}: {
  query: UseQueryResult<R>
  list: { readonly path: string; readonly title: string }
  children: (record: R) => ReactNode
}) {
  const { data, error } = query
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const go = (to: string | undefined) => {
    if (to !== undefined) void navigate({ to })
  }
  useKeys([
    { keys: 'j', title: 'Next of the list', group, run: () => go(neighbourOf(pathname, 1)) },
    { keys: 'k', title: 'Previous of the list', group, run: () => go(neighbourOf(pathname, -1)) },
    { keys: 'u', title: 'Back to the list', group, run: () => go(list.path) },
  ])
  const gone = error instanceof ConsoleError && error.status === 404
  return (
    <Page key={pathname}>
      <Link to={list.path} className="crumb">
        {list.title}
      </Link>
      {data === undefined && error && (
        <EmptyState title={gone ? 'There is no such record' : 'The record cannot be shown'}>
          <p className="soft">{gone ? 'It may have been removed.' : messageOf(error)}</p>
        </EmptyState>
      )}
      {data !== undefined && children(data)}
    </Page>
  )
}
