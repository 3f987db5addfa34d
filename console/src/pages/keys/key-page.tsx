import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useHasRole } from '../../data/session.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { DayBars } from '../../ui/chart/day-bars.tsx'
import { sumsByDay } from '../../ui/chart/day-sums.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ChoiceField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Crumb } from '../../ui/page/crumb.tsx'
import { NotFoundPage } from '../../ui/page/not-found-page.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { counted } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { nowSeconds } from '../../ui/text/moment-text.ts'
import { useTimeZone } from '../../ui/text/time-zone.ts'
import { IssuedKey } from './issued-key.tsx'

const daysShown = 30

/** Page of an API key: usage, details, rotation and revocation. */
export function KeyPage() {
  const { id = '' } = useParams({ strict: false })
  const client = useQueryClient()
  const mayWrite = useHasRole('FULL_ACCESS')
  const [open, setOpen] = useState<'rotate' | 'revoke'>()
  const { data } = useQuery({ queryKey: ['keys'], queryFn: () => callConsole('listKeys') })
  const key = data?.keys.find((one) => one.id === id)
  const successor = data?.keys.find((one) => one.id === key?.replacedBy)
  const reload = () => client.invalidateQueries({ queryKey: ['keys'] })
  if (data && !key) return <NotFoundPage title="Key not found" />
  if (!key) return null
  return (
    <Page>
      <Crumb path="/keys" title="API keys" />
      <PageHead title={key.name} aside={<ValueBadge value={key.state} />}>
        {mayWrite && key.state === 'ACTIVE' && (
          <>
            {key.replacedBy === null && <PushButton onClick={() => setOpen('rotate')}>Rotate key</PushButton>}
            <PushButton kind="danger" onClick={() => setOpen('revoke')}>
              Revoke key
            </PushButton>
          </>
        )}
      </PageHead>
      <div className="columns">
        <RequestsCard id={id} />
        <Card title="About">
          <Facts
            facts={[
              ['Starts with', <code key="start">{key.start}…</code>],
              ['Permission', labelOf(key.permission)],
              ['Holder', key.holder],
              ['Created', <FullMoment key="made" seconds={key.creationTimestamp} />],
              ['Last used', <Moment key="used" seconds={key.lastUsedTimestamp} never="never" />],
              ['Expires', <FullMoment key="ends" seconds={key.expiryTimestamp} never="never" />],
              [
                'Revoked',
                key.revokedTimestamp === null ? null : (
                  <FullMoment key="revoked" seconds={key.revokedTimestamp} />
                ),
              ],
              [
                'Rotated to',
                successor && (
                  <Link key="successor" to="/keys/$id" params={{ id: successor.id }}>
                    <code>{successor.start}…</code>
                  </Link>
                ),
              ],
            ]}
          />
        </Card>
      </div>
      {open === 'rotate' && (
        <RotateDialog id={id} name={key.name} onClose={() => setOpen(undefined)} onRotated={reload} />
      )}
      {open === 'revoke' && (
        <Confirm
          title={`Revoke “${key.name}”?`}
          action="Revoke key"
          run={() => callConsole('revokeKey', { id })}
          onDone={reload}
          onClose={() => setOpen(undefined)}
        >
          <p>Programs that use this key stop working immediately. This cannot be undone.</p>
          <p className="soft">
            It was last used <Moment seconds={key.lastUsedTimestamp} never="never" />.
          </p>
        </Confirm>
      )}
    </Page>
  )
}

/** Usage of a key. Shows nothing while loading: people check it before they revoke a key. */
function RequestsCard({ id }: { id: string }) {
  useTimeZone()
  const { data } = useQuery({
    queryKey: ['keys', id, 'requests'],
    queryFn: () => callConsole('readKeyRequests', { id }),
  })
  if (!data) return <Card title={`Requests in the last ${daysShown} days`}>{null}</Card>
  const days = sumsByDay(data.hours, ['requests'], { days: daysShown, nowSeconds: nowSeconds() })
  const sum = days.reduce((all, day) => all + day.requests, 0)
  return (
    <Card title={`${counted(sum, 'request')} in the last ${daysShown} days`}>
      {sum === 0 && <p className="soft">No requests with this key</p>}
      <DayBars
        caption="Requests by day"
        days={days}
        series={[{ member: 'requests', name: 'Requests', tone: '' }]}
      />
    </Card>
  )
}

const overlaps: readonly (readonly [seconds: string, text: string])[] = [
  ['0', 'Immediately'],
  ['3600', 'In 1 hour'],
  ['86400', 'In 1 day'],
  ['604800', 'In 1 week'],
]

function RotateDialog({
  id,
  name,
  onClose,
  onRotated,
}: {
  id: string
  name: string
  onClose: () => void
  onRotated: () => void
}) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useMutation({
    mutationFn: () => callConsole('rotateKey', { id, body: { overlapSeconds: Number(overlap) } }),
    onSuccess: () => void onRotated(),
  })
  if (rotate.data) return <IssuedKey made={rotate.data} onClose={onClose} />
  return (
    <Dialog title={`Rotate “${name}”`} onClose={onClose}>
      <Form sending={rotate} action="Create new key" onCancel={onClose}>
        <p>A new key replaces this one. Both work until the old key expires.</p>
        <ChoiceField label="Old key expires" choices={overlaps} {...bound(overlap, setOverlap)} />
      </Form>
    </Dialog>
  )
}
