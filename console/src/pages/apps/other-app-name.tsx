import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getRecord } from '../../data/call.ts'
import { useLinkTabIndex } from '../../ui/keys/in-grid.ts'

/** Domain of an app outside the catalog that links to its page. */
export function OtherAppName({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['record', 'getAppOther', id],
    queryFn: ({ signal }) => getRecord('getAppOther', id, signal),
    staleTime: 60_000,
  })
  const tabIndex = useLinkTabIndex()
  return (
    <Link to="/apps-other/$id" params={{ id }} tabIndex={tabIndex}>
      {data?.domain ?? '…'}
    </Link>
  )
}
