import { noteLengthMaximum, type WorkEntry, type WorkList } from '@muster/contract/console/work/work-fields'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useHasRole } from '../../data/session.ts'
import type { BulkDialog } from '../../list/list-plan.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Isolated } from '../../ui/text/isolated.tsx'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { detectionWorkDialogs, findingWorkDialogs } from './work-dialogs.tsx'
import { entryText } from './work-words.ts'

/** Key of the work on a record among queries. */
const workKey = (id: string) => ['work', id]

/** Work on a finding or a detection: assignee, status, notes and history. */
export function WorkCard({ list, id, since }: { list: WorkList; id: string; since: number }) {
  const { data } = useQuery({ queryKey: workKey(id), queryFn: () => callConsole('readWork', { id }) })
  const mayWrite = useHasRole('FULL_ACCESS')
  const [dialog, setDialog] = useState<BulkDialog>()
  if (!data) return null
  const { workStatus, pausedUntilTimestamp, assigneeName, entries } = data
  const all = list === 'findings' ? findingWorkDialogs : detectionWorkDialogs
  const isPaused = pausedUntilTimestamp !== null
  const offered = all.filter(
    (one) =>
      one.id !== 'ask' &&
      (one.id === 'assign' || (workStatus !== 'RESOLVED' && (one.id !== 'to-do' || isPaused))),
  )
  return (
    <Card title="Work">
      <Facts
        facts={[
          ['Assignee', assigneeName ?? <span className="soft">Nobody</span>],
          ['Status', workStatus && <ValueBadge value={workStatus} />],
          ['Until', isPaused && <FullMoment seconds={pausedUntilTimestamp} />],
        ]}
      />
      {mayWrite && (
        <div className="row wrap">
          {offered.map((one) => (
            <PushButton key={one.id} onClick={() => setDialog(one)}>
              {one.title}
            </PushButton>
          ))}
        </div>
      )}
      {mayWrite && <NoteForm id={id} />}
      <ol className="lines" aria-label="History">
        {entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ID, and older ones never change
          <Entry key={entries.length - at} entry={entry} />
        ))}
        <li>
          <span className="grow">Found</span>
          <span className="soft small">
            <Moment seconds={since} />
          </span>
        </li>
      </ol>
      {dialog?.render({ selection: { ids: [id] }, onClose: () => setDialog(undefined) })}
    </Card>
  )
}

function Entry({ entry }: { entry: WorkEntry }) {
  const { kind, timestamp, untilTimestamp, text } = entry
  const isErased = kind === 'NOTE' && text === null
  return (
    <li>
      <span className="rule-text">
        <Isolated>{entryText(entry)}</Isolated>
        {untilTimestamp !== null && (
          <>
            {' until '}
            <FullMoment seconds={untilTimestamp} />
          </>
        )}
        {text !== null && <p className="note-text">{text}</p>}
        {isErased && <p className="soft">The text was erased.</p>}
      </span>
      <span className="soft small">
        <Moment seconds={timestamp} />
      </span>
    </li>
  )
}

function NoteForm({ id }: { id: string }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const sending = useMutation({
    mutationFn: () => callConsole('addNote', { id, body: { text: text.trim() } }),
    onSuccess: (work) => {
      setText('')
      client.setQueryData(workKey(id), work)
    },
  })
  return (
    <Form
      sending={{ ...sending, mutate: () => sending.mutate() }}
      action="Add note"
      kind=""
      disabled={text.trim() === ''}
    >
      <TextArea label="Note" name="text" rows={2} maxLength={noteLengthMaximum} {...bound(text, setText)} />
    </Form>
  )
}
