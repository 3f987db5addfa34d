import type { Finding } from '@muster/contract/records/finding'
import { reasonsOf } from '@muster/contract/risk/risk-rules'
import { useFirstRecords } from '../../data/lists.ts'
import { Card } from '../../ui/page/card.tsx'
import { PriorityBadge } from '../../ui/page/priority-badge.tsx'

/** Returns the finding as the list shows it, with its priority. */
function useListed({ id, type, accountId, employeeId, appId }: Finding) {
  const subject = accountId ? { accountId } : employeeId ? { employeeId } : appId ? { appId } : {}
  const { data } = useFirstRecords('findings', { ...subject, type, state: 'OPEN' }, { limit: 100 })
  return data?.records.find((record) => record.id === id)
}

/** Priority of an open finding with its reasons. */
export function PriorityCard({ finding }: { finding: Finding }) {
  const listed = useListed(finding)
  if (!listed || listed.priority === null) return null
  return (
    <Card title="Priority">
      <p>
        <PriorityBadge {...listed} /> <span className="soft">{listed.priorityScore} points</span>
      </p>
      <ul className="lines">
        {reasonsOf(listed.priorityReasons).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Card>
  )
}
