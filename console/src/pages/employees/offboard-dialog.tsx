import '../../styles/offboarding.css'
import type {
  AccountToClose,
  Offboarded,
  Offboarding,
} from '@muster/contract/console/people/console-offboarding'
import type { Employee } from '@muster/contract/records/employee'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { personName } from '../../data/person.ts'
import { useSession } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { CopyText } from '../../ui/text/copy-button.tsx'
import { counted, nounFor } from '../../ui/text/counted.ts'
import { ExternalLink } from '../../ui/text/external-link.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { eraseCommand } from './erase-command.ts'

/** Offboards an employee: shows the effects and the accounts to close, and what is left to do afterwards. */
export function OffboardDialog({
  employee,
  onClose,
  onDone,
}: {
  employee: Employee
  onClose: () => void
  onDone: () => Promise<void>
}) {
  const { id } = employee
  // The list stays as it was when the dialog was opened.
  const preview = useQuery({
    queryKey: ['offboarding', id],
    queryFn: () => callConsole('readOffboarding', { id }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const offboard = useMutation({
    mutationFn: () => callConsole('offboardEmployee', { id }),
    onSuccess: () => void onDone(),
  })
  const { data } = preview
  const done = offboard.data
  return (
    <Dialog
      title={done ? `${personName(employee)} is offboarded` : `Offboard ${personName(employee)}`}
      onClose={onClose}
      wide
    >
      {done && <Outcome done={done} />}
      {data && !done && <Effects preview={data} />}
      {data && <Reminders preview={data} />}
      {data && <Accounts preview={data} id={id} />}
      {done && <EraseHint employee={employee} />}
      <FormError error={preview.error ?? offboard.error} />
      <div className="dialog-actions">
        {!done && <PushButton onClick={onClose}>Cancel</PushButton>}
        {done ? (
          <PushButton kind="primary" onClick={onClose}>
            Done
          </PushButton>
        ) : (
          <PushButton
            kind="danger primary"
            busy={offboard.isPending}
            disabled={!data}
            onClick={() => offboard.mutate()}
          >
            Offboard
          </PushButton>
        )}
      </div>
    </Dialog>
  )
}

function Effects({ preview }: { preview: Offboarding }) {
  const { licensed, browsers, enrollmentLinks, openFindings } = preview
  const nothing = !licensed && browsers === 0 && enrollmentLinks === 0
  return (
    <section className="stack tight">
      <h3>What happens</h3>
      {nothing ? (
        <p>This employee has no license, no enrolled browsers and no unused enrollment links.</p>
      ) : (
        <ul className="bullets">
          {licensed && <li>The license is removed.</li>}
          {browsers > 0 && (
            <li>
              {counted(browsers, 'browser')} {nounFor(browsers, 'is', 'are')} revoked. The agents there stop
              working. Managed browsers enroll again but report nothing without a license.
            </li>
          )}
          {enrollmentLinks > 0 && (
            <li>
              {counted(enrollmentLinks, 'unused enrollment link')} {nounFor(enrollmentLinks, 'stops', 'stop')}{' '}
              working.
            </li>
          )}
          {openFindings > 0 && (
            <li>
              {counted(openFindings, 'open finding')} {nounFor(openFindings, 'stays', 'stay')} open until you
              close the accounts and delete their records.
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function Outcome({ done }: { done: Offboarded }) {
  const { licenseRemoved, browsersRevoked, enrollmentLinksRevoked } = done
  const parts = [
    ...(licenseRemoved ? ['License removed'] : []),
    ...(browsersRevoked > 0 ? [`${counted(browsersRevoked, 'browser')} revoked`] : []),
    ...(enrollmentLinksRevoked > 0 ? [`${counted(enrollmentLinksRevoked, 'enrollment link')} revoked`] : []),
  ]
  return (
    <p className="notice good" role="status">
      {parts.length > 0 ? `${parts.join(', ')}.` : 'Nothing had to be changed.'}
    </p>
  )
}

/** Things that offboarding does not change. */
function Reminders({ preview: { ownedApps, administrator, apiKeys } }: { preview: Offboarding }) {
  if (ownedApps.length === 0 && !administrator && apiKeys === 0) return null
  return (
    <section className="stack tight">
      <h3>To do separately</h3>
      <ul className="bullets">
        {administrator && (
          <li>
            Remove the administrator with this address under <Link to="/administrators">Administrators</Link>.
          </li>
        )}
        {apiKeys > 0 && (
          <li>
            Revoke {counted(apiKeys, 'API key')} under <Link to="/keys">API keys</Link>.
          </li>
        )}
        {ownedApps.length > 0 && (
          <li>
            Choose a new owner for{' '}
            {ownedApps.map(({ id, name }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <Link to="/apps/$id" params={{ id }}>
                  {name}
                </Link>
              </span>
            ))}
            .
          </li>
        )}
      </ul>
    </section>
  )
}

/** Accounts shown at first, so that the buttons of the dialog stay in sight. */
const shownAtFirst = 6

function Accounts({ preview, id }: { preview: Offboarding; id: string }) {
  const { accounts, moreAccounts } = preview
  const [all, setAll] = useState(accounts.length <= shownAtFirst)
  if (accounts.length === 0) return <p className="soft">No accounts to close.</p>
  return (
    <section className="stack tight">
      <div className="row wrap">
        <h3 className="grow">
          Accounts to close · {accounts.length}
          {moreAccounts && '+'}
        </h3>
        <a href={`/console/api/employees/${encodeURIComponent(id)}/accounts-to-close.csv`} download>
          Download CSV
        </a>
      </div>
      <p className="soft small">
        Muster cannot close accounts in other products. Close them there, starting with the identity provider.
      </p>
      <ul className="lines" aria-label="Accounts to close">
        {(all ? accounts : accounts.slice(0, shownAtFirst)).map((account) => (
          <li key={account.id}>
            <AccountLine account={account} />
          </li>
        ))}
      </ul>
      {!all && (
        <div className="row">
          <PushButton onClick={() => setAll(true)}>Show all {accounts.length}</PushButton>
        </div>
      )}
    </section>
  )
}

function AccountLine({ account }: { account: AccountToClose }) {
  const { app, email, url, passwordUrl, otherUsers, singleSignOnOnly, lastUsedTimestamp } = account
  return (
    <span className="grow">
      <span className="row wrap">
        <span className="grow">
          {app} <span className="soft">{email}</span>
        </span>
        <span className="soft small">
          <Moment seconds={lastUsedTimestamp} />
        </span>
      </span>
      <span className="row wrap small">
        {url && <ExternalLink url={url} />}
        {singleSignOnOnly && <span className="soft">Single sign-on only</span>}
        {otherUsers > 0 && (
          <span>
            Used by {counted(otherUsers, 'other employee')}: change the password
            {passwordUrl && (
              <>
                {' at '}
                <ExternalLink url={passwordUrl} />
              </>
            )}
          </span>
        )}
      </span>
    </span>
  )
}

function EraseHint({ employee }: { employee: Employee }) {
  const { data: session } = useSession()
  return (
    <section className="stack tight">
      <h3>Delete all data about this person</h3>
      <p className="soft small">
        Optional and permanent. Run this command on the server after the accounts are closed:
      </p>
      <CopyText text={eraseCommand(employee, session?.organization)} what="command" mono />
    </section>
  )
}
