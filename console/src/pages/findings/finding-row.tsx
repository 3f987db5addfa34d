import type { Finding } from '@muster/contract/records/finding'
import { Link } from '@tanstack/react-router'
import { appTypeName } from '../../data/app-names.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'

/** A finding in a list of related records. `withApp` also shows the app. */
export function FindingRow({ finding, withApp = false }: { finding: Finding; withApp?: boolean }) {
  const { id, type, appType, lastUpdatedTimestamp } = finding
  return (
    <>
      <Link to="/findings/$id" params={{ id }} className="grow">
        {labelOf(type)} {withApp && appType !== null && <span className="soft">{appTypeName(appType)}</span>}
      </Link>
      <span className="soft small">
        <Moment seconds={lastUpdatedTimestamp} />
      </span>
    </>
  )
}
