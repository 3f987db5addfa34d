import type { ConsoleNotice } from '@muster/contract/console/console-notices'
import { useMutation, useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { counted } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'

/** Page of sent notices and their delivery state. */
export function NoticesPage() {
  const { data } = useQuery({ queryKey: ['notices'], queryFn: () => callConsole('listNotices') })
  return (
    <Page>
      <PageHead title="Notices" />
      <p className="soft">
        Emails sent about deprecated API versions, expiring keys and disabled webhooks, alerts, and monthly
        reports.
      </p>
      {data?.mailWay === 'FILE' && (
        <p className="notice warn">
          No mail server is configured, so messages are saved as files in the “mail” folder of the data
          folder. Owners can set one under Settings, Mail.
        </p>
      )}
      {data?.notices.length === 0 && <EmptyState title="No messages yet" />}
      {data && data.notices.length > 0 && (
        <section className="card">
          <ul className="lines">
            {data.notices.map((notice) => (
              <NoticeLine key={notice.id} notice={notice} />
            ))}
          </ul>
        </section>
      )}
    </Page>
  )
}

function NoticeLine({ notice }: { notice: ConsoleNotice }) {
  const { id, kind, address, about, state, attempts, nextAttemptTimestamp, lastError, way } = notice
  const reload = useReload()
  const mayWrite = useHasRole('FULL_ACCESS')
  const resend = useMutation({
    mutationFn: () => callConsole('resendNotice', { id }),
    onSuccess: async () => {
      showToast(`The message to ${address} will be resent.`)
      await reload()
    },
    onError: (error) => showToast(messageOf(error), true),
  })
  return (
    <li>
      <span className="rule-text">
        {labelOf(kind)} <span className="soft">{address}</span>
        <br />
        <span className="soft small">{about}</span>
        {lastError !== null && (
          <>
            <br />
            <span className="field-error">{lastError}</span>
          </>
        )}
      </span>
      <span className="soft small">
        {way === 'FILE' ? 'as a file, ' : ''}
        {attempts > 1 && `${counted(attempts, 'attempt')}, `}
        {nextAttemptTimestamp === null ? (
          <Moment seconds={notice.sentTimestamp ?? notice.creationTimestamp} />
        ) : (
          <>
            next <Moment seconds={nextAttemptTimestamp} />
          </>
        )}
      </span>
      <ValueBadge value={state} />
      {mayWrite && (state === 'FAILED' || state === 'IN_DOUBT') && (
        <PushButton
          aria-label={`Resend the message to ${address}`}
          busy={resend.isPending}
          onClick={() => resend.mutate()}
        >
          Resend
        </PushButton>
      )}
    </li>
  )
}
