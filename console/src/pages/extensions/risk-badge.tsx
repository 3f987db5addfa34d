import type { RiskClass } from '@muster/contract/console/permission-risk'
import { Badge } from '../../ui/badge.tsx'

const words = { HIGH: 'High risk', MEDIUM: 'Medium risk', LOW: 'Low risk' } as const

/** Permission risk of an extension. */
export function RiskBadge({ risk }: { risk: RiskClass }) {
  return <Badge tone={risk === 'HIGH' ? 'high' : risk === 'MEDIUM' ? 'medium' : ''}>{words[risk]}</Badge>
}
