import type { Account } from '@muster/contract/records/account'
import { Link } from '@tanstack/react-router'
import { appTypeName } from '../../data/app-names.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { MfaBadge } from './accounts-plan.tsx'

/** An account in a list of related records. `withApp` also shows the app. */
export function AccountRow({ account, withApp = false }: { account: Account; withApp?: boolean }) {
  return (
    <>
      <Link to="/accounts/$id" params={{ id: account.id }} className="grow">
        {withApp ? (
          <>
            {appTypeName(account.appType)} <span className="soft">{account.email}</span>
          </>
        ) : (
          account.email
        )}
      </Link>
      <span className="soft small">MFA</span>
      <MfaBadge registered={account.mfaRegistered} />
      <span className="soft small">
        <Moment seconds={account.lastUsedTimestamp} />
      </span>
    </>
  )
}
