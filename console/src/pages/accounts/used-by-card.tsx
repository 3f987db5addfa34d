import { declarations } from 'virtual:muster-declarations'
import type { RecordOf } from '@muster/contract/api/collection'
import type { usedBy } from '@muster/contract/records/account'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../data/console-send.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page/card.tsx'
import { counted } from '../../ui/text/counted.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'

const path = declarations.records.listAccountUsers.path
/** Maximum page size of the list. */
const usersShown = 1000

interface Users {
  readonly records: RecordOf<typeof usedBy>[]
  readonly paging: { readonly moreResults: boolean }
}

/** Employees who use an account. */
export function UsedByCard({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['used-by', id],
    queryFn: ({ signal }) =>
      send<Users>('GET', `${path.replace(':id', encodeURIComponent(id))}?limit=${usersShown}`, { signal }),
  })
  const users = data?.records ?? []
  return (
    <Card title={`Used by ${counted(users.length, 'person', 'people', data?.paging.moreResults)}`}>
      <ul className="lines">
        {users.map(({ employeeId, lastUsedTimestamp, passwordManuallyTyped: typed }) => (
          <li key={employeeId}>
            <span className="grow">
              <PersonLink id={employeeId} />
            </span>
            {typed === true && <Badge tone="medium">Types password</Badge>}
            {typed === false && <Badge tone="good">Password manager</Badge>}
            <span className="soft small">
              <Moment seconds={lastUsedTimestamp} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
