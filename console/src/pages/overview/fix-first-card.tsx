import { reasonsOf } from '@muster/contract/risk/risk-rules'
import { Link } from '@tanstack/react-router'
import { appTypeName } from '../../data/app-names.ts'
import { PriorityBadge } from '../../ui/page/priority-badge.tsx'
import { Related } from '../../ui/page/related.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { PersonLink } from '../../ui/text/person-link.tsx'

/** The most urgent findings. */
export const FixFirstCard = () => (
  <Related
    title="Fix first"
    list="findings"
    search={{ state: 'OPEN', priority: ['P1', 'P2'], sort: '-priority' }}
    none="No urgent findings"
  >
    {({ id, type, appType, employeeId, ...finding }) => (
      <>
        <PriorityBadge {...finding} />
        <Link to="/findings/$id" params={{ id }} className="grow">
          {labelOf(type)} {appType !== null && <span className="soft">{appTypeName(appType)}</span>}
          <br />
          <span className="soft small">{reasonsOf(finding.priorityReasons)[0]}</span>
        </Link>
        <PersonLink id={employeeId} />
      </>
    )}
  </Related>
)
