import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ListSearch, stringifySearch } from '../data/list-search.ts'
import { type ListRecord, useCount, useSomeOf } from '../data/lists.ts'
import { Card } from './card.tsx'

const shownRecords = 8

/** Lists that leave something out unless they are asked: the way to all of them asks. */
const whole: Partial<Record<ConsoleListName, ListSearch>> = {
  detections: { archived: 'any' },
  findings: { state: 'any' },
}

/** Some records that belong to the one of the page, and the way to all of them. */
export function Related<N extends ConsoleListName>({
  title,
  list,
  search,
  path,
  none,
  except,
  children,
}: {
  title: string
  list: N
  search: ListSearch
  /** The page of the list. */
  path: string
  /** What is said where there are none. */
  none: string
  /** The record of the page itself, which is left out; given where it is one of them. */
  except?: string
  children: (record: ListRecord<N>) => ReactNode
}) {
  const { data } = useSomeOf(list, search, { limit: shownRecords + 1 })
  const count = useCount(list, search).data
  const records = (data?.records ?? []).filter(({ id }) => id !== except).slice(0, shownRecords)
  const number = count && Math.max(0, count.count - (except === undefined ? 0 : 1))
  return (
    <Card
      none={data !== undefined && records.length === 0}
      title={
        number === undefined ? title : `${title} · ${number.toLocaleString('en-GB')}${count?.more ? '+' : ''}`
      }
      actions={
        records.length > 0 && (
          <Link
            to={`${path}${stringifySearch({ ...whole[list], ...search })}`}
            className="small"
            aria-label={`All: ${title}`}
          >
            All
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
