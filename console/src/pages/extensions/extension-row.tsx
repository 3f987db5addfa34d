import { riskOf } from '@muster/contract/console/permission-risk'
import { Link } from '@tanstack/react-router'
import type { ListRecord } from '../../data/lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { RiskBadge } from './risk-badge.tsx'

/** An extension in a list of related records. */
export function ExtensionRow({ extension }: { extension: ListRecord<'browserExtensions'> }) {
  return (
    <>
      <Link to="/extensions/$id" params={{ id: extension.extensionId }} className="grow">
        {extension.name || extension.extensionId}
      </Link>
      {!extension.enabled && <Badge>Disabled</Badge>}
      <RiskBadge risk={riskOf(extension)} />
    </>
  )
}
