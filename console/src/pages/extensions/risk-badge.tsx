import type { RiskClass } from '@muster/contract/console/permission-risk'
import { Badge } from '../../ui/badge.tsx'

const words = { HIGH: 'Very much', MEDIUM: 'Much', LOW: 'Little' } as const

/** How much an extension can do, in a word. */
export function RiskBadge({ risk }: { risk: RiskClass }) {
  return <Badge tone={risk === 'HIGH' ? 'high' : risk === 'MEDIUM' ? 'medium' : ''}>{words[risk]}</Badge>
}
