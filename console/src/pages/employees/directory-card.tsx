import type { DirectoryEntry } from '@muster/contract/console/directory/console-directory'
import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Breakable } from '../../ui/text/breakable.tsx'
import { FullMoment } from '../../ui/text/moment.tsx'

/** Reads the part of an employee that a directory manages. */
export const useDirectoryEntry = (id: string): DirectoryEntry | undefined =>
  useQuery({
    queryKey: ['directory entry', id],
    queryFn: () => callConsole('readDirectoryEntry', { id }),
  }).data

/** Facts about the user in the directory. Nothing for other employees. */
export function DirectoryCard({ entry }: { entry: DirectoryEntry | undefined }) {
  if (!entry || entry.userName === null) return null
  return (
    <Card title="Directory" note="Your identity provider manages this employee.">
      <Facts
        facts={[
          ['User name', <Breakable key="name" text={entry.userName} />],
          ['State', entry.active ? 'Active' : 'Inactive'],
          ['Groups', entry.groups.join(', ')],
          ['Last change', <FullMoment key="changed" seconds={entry.changedTimestamp} />],
        ]}
      />
    </Card>
  )
}
