import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ListSearch } from '../../data/list-search.ts'
import { type ListRecord, useCount, useFirstRecords } from '../../data/lists.ts'
import { listLink } from '../../list/list-paths.ts'
import { countText } from '../text/counted.ts'
import { Card } from './card.tsx'

const shownRecords = 8

/** Card with the first related records and a link to all of them. */
export function Related<N extends ConsoleListName>({
  title,
  list,
  search,
  none,
  children,
}: {
  title: string
  list: N
  search: ListSearch
  /** Text shown if there are none. */
  none: string
  children: (record: ListRecord<N>) => ReactNode
}) {
  const { data } = useFirstRecords(list, search, { limit: shownRecords })
  const count = useCount(list, search).data
  const records = data?.records ?? []
  return (
    <Card
      none={data !== undefined && records.length === 0}
      title={count ? `${title} · ${countText(count.count, count.more)}` : title}
      actions={
        records.length > 0 && (
          <Link {...listLink({ list, filters: search })} className="small" aria-label={`View all: ${title}`}>
            View all
          </Link>
        )
      }
    >
      {data && records.length === 0 && <p className="soft">{none}</p>}
      {records.length > 0 && (
        <ul className="lines">
          {records.map((record) => (
            <li key={record.id}>{children(record)}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}
