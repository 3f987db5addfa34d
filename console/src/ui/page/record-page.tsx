import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ConsoleError, messageOf } from '../../data/console-send.ts'
import { isRetryable } from '../../data/missing-data.ts'
import type { PagePath } from '../../list/record-path.ts'
import { ListCrumb } from './crumb.tsx'
import { Page } from './page.tsx'
import { PageHead } from './page-head.tsx'

/** Frame of a record's page: the link back to the list, and errors while the record cannot be loaded. */
export function RecordPage<R>({
  query,
  list,
  children,
}: {
  query: UseQueryResult<R>
  list: { readonly path: PagePath; readonly title: string }
  children: (record: R) => ReactNode
}) {
  const { data, error } = query
  const { pathname } = useLocation()
  const gone = error instanceof ConsoleError && error.status === 404
  return (
    <Page key={pathname}>
      <ListCrumb {...list} />
      {data === undefined && error && !isRetryable(error) && (
        <>
          <PageHead title={gone ? 'Record not found' : 'Could not load this record'} />
          <p className="soft">{gone ? 'It may have been removed.' : messageOf(error)}</p>
        </>
      )}
      {data !== undefined && children(data)}
    </Page>
  )
}
