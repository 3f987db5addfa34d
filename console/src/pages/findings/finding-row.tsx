import type { Finding } from '@muster/contract/finding'
import { Link } from '@tanstack/react-router'
import { typeWords } from '../../data/app-names.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { wordsOf } from '../../ui/text/words.ts'

/** A finding in a list of related records. `withApp` also shows the app. */
export function FindingRow({ finding, withApp = false }: { finding: Finding; withApp?: boolean }) {
  const { id, type, appType, lastUpdatedTimestamp } = finding
  return (
    <>
      <Link to="/findings/$id" params={{ id }} className="grow">
        {wordsOf(type)} {withApp && appType !== null && <span className="soft">{typeWords(appType)}</span>}
      </Link>
      <span className="soft small">
        <Moment seconds={lastUpdatedTimestamp} />
      </span>
    </>
  )
}
