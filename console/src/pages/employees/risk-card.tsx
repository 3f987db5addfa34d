import type { ConsolePage, ConsoleValues } from '@muster/contract/console/console-lists'
import type { Detection } from '@muster/contract/records/detection'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { send } from '../../data/console-send.ts'
import { listPath, useValues, valuesPath } from '../../data/lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page/card.tsx'
import { type DetectedType, type FoundType, riskReasons } from './risk-reasons.ts'

/** Loads the open detections of a person by type, each with the most severe one. */
function useDetectedTypes(employeeId: string) {
  const search = { employeeId, archived: 'false' }
  return useQuery({
    queryKey: ['list', 'detections', 'by type', employeeId],
    queryFn: async ({ signal }) => {
      const path = valuesPath('detections', 'detectionType', search)
      const { values } = await send<ConsoleValues>('GET', path, { signal })
      const found: DetectedType[] = []
      for (const { value, count } of values) {
        if (count === 0) continue
        const worstFirst = { ...search, detectionType: value, sort: '-severity', limit: '1' }
        const page = await send<ConsolePage<Detection>>('GET', listPath('detections', worstFirst), { signal })
        const [worst] = page.records
        if (worst) found.push({ worst, count })
      }
      return found
    },
  })
}

/** Summary of the risks of a person with recommended actions. */
export function RiskCard({ id }: { id: string }) {
  const detected = useDetectedTypes(id).data
  const findings = useValues('findings', 'type', { employeeId: id, state: 'OPEN' }).data
  if (!detected || !findings) return null
  const found = findings.values.filter(({ count }) => count !== 0)
  const types = found.map(({ value, count }) => ({ type: value as FoundType['type'], count }))
  const reasons = riskReasons(id, detected, types)
  if (reasons.length === 0)
    return (
      <Card title="Needs attention" none>
        <Badge tone="good">None</Badge>
      </Card>
    )
  return (
    <Card title="Needs attention">
      <ul className="lines">
        {reasons.map(({ key, tone, count, text, remedy, link }) => (
          <li key={key}>
            <span className="reason-count">
              <Badge tone={tone}>{count}</Badge>
            </span>
            <span className="reason">
              <Link {...link}>{text}</Link>
              <span className="soft small">{remedy}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
