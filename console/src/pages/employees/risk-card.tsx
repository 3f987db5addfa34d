import { Link } from '@tanstack/react-router'
import { useSomeOf } from '../../data/lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { riskReasons } from './risk-reasons.ts'

/** So many of each are looked at; whoever has more has them in the lists below. */
const looked = 100

/** Why a person is at risk, at a glance, and what to do about it. */
export function RiskCard({ id }: { id: string }) {
  const options = { limit: looked }
  const detections = useSomeOf('detections', { employeeId: id, archived: 'false' }, options).data
  const findings = useSomeOf('findings', { employeeId: id, state: 'OPEN' }, options).data
  if (!detections || !findings) return null
  const reasons = riskReasons(id, detections.records, findings.records)
  if (reasons.length === 0)
    return (
      <Card title="Needs attention" none>
        <Badge tone="good">Nothing</Badge>
      </Card>
    )
  return (
    <Card title="Needs attention">
      <ul className="lines">
        {reasons.map(({ key, tone, count, text, remedy, path }) => (
          <li key={key}>
            <span className="reason-count">
              <Badge tone={tone}>{count.toLocaleString('en-GB')}</Badge>
            </span>
            <span className="reason">
              <Link to={path}>{text}</Link>
              <span className="soft small">{remedy}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
