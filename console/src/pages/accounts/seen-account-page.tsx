import type { Account } from '@muster/contract/records/account'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { appTypeName, useApp } from '../../data/app-names.ts'
import { callRecord } from '../../data/call.ts'
import { useRecord, useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { FoundRisk } from '../../ui/page/priority-badge.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { Related } from '../../ui/page/related.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'
import { MfaBadge } from './accounts-plan.tsx'
import { LoginMethodsCard } from './login-methods-card.tsx'
import { UsedByCard } from './used-by-card.tsx'

/** Page of an account: sign-in methods, users and findings. */
export function SeenAccountPage() {
  const query = useRecord('getAccount')
  return (
    <RecordPage query={query} list={{ path: '/accounts', title: 'Accounts' }}>
      {(account) => <SeenAccount account={account} />}
    </RecordPage>
  )
}

function SeenAccount({ account }: { account: Account }) {
  const { id, email, appId, appType, passwordId } = account
  const navigate = useNavigate()
  const reload = useReload()
  const mayWrite = useHasRole('FULL_ACCESS')
  const app = useApp(appId).data
  const appName = app?.friendlyName ?? appTypeName(appType)
  const [forgetting, setForgetting] = useState(false)
  const forgotten = async () => {
    showToast(`Record of ${email} deleted.`)
    await navigate({ to: '/accounts' })
    await reload()
  }
  return (
    <>
      <PageHead title={email} aside={<span className="soft">on {appName}</span>}>
        {mayWrite && (
          <PushButton kind="danger" onClick={() => setForgetting(true)}>
            Delete record
          </PushButton>
        )}
      </PageHead>
      <div className="columns">
        <div className="stack">
          <LoginMethodsCard
            methods={account.loginMethods}
            {...(mayWrite
              ? {
                  remove: (loginMethod) => callRecord('deleteLoginMethod', { id, body: { loginMethod } }),
                  onRemoved: reload,
                }
              : {})}
          />
          <UsedByCard id={id} />
          <Related title="Findings" list="findings" search={{ accountId: id }} none="No findings">
            {(finding) => (
              <>
                <Link to="/findings/$id" params={{ id: finding.id }} className="grow">
                  {labelOf(finding.type)}
                </Link>
                <span className="soft small">{labelOf(finding.state)}</span>
              </>
            )}
          </Related>
          {passwordId !== null && (
            <Related
              title="Accounts with the same password"
              list="accounts"
              search={{ except: id, passwordId }}
              none="No other accounts"
            >
              {(other) => (
                <Link to="/accounts/$id" params={{ id: other.id }} className="grow">
                  {appTypeName(other.appType)} <span className="soft">{other.email}</span>
                </Link>
              )}
            </Related>
          )}
        </div>
        <Card title="About">
          <Facts
            facts={[
              [
                'App',
                <Link key="app" to="/apps/$id" params={{ id: appId }}>
                  {appName}
                </Link>,
              ],
              ['Employee', <PersonLink key="person" id={account.employeeId} />],
              [
                'Risk',
                <FoundRisk
                  key="risk"
                  list="accounts"
                  id={id}
                  search={{ employeeId: account.employeeId, appId }}
                />,
              ],
              ['MFA', <MfaBadge key="mfa" registered={account.mfaRegistered} />],
              ['MFA methods', account.mfaMethods?.map(labelOf).join(', ')],
              ['Last used', <Moment key="used" seconds={account.lastUsedTimestamp} />],
              ['Added', <FullMoment key="seen" seconds={account.creationTimestamp} />],
            ]}
          />
        </Card>
      </div>
      {forgetting && (
        <Confirm
          title="Delete this record?"
          action="Delete record"
          run={() => callRecord('forgetAccount', { id })}
          onDone={forgotten}
          onClose={() => setForgetting(false)}
        >
          <p>
            This deletes the account record, its usage data and its findings. A new record is created if a
            sign-in is seen later.
          </p>
        </Confirm>
      )}
    </>
  )
}
