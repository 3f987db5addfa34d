import type { WorkChange } from '@muster/contract/console/work/console-work'
import { noteLengthMaximum, type PauseStatus, type WorkList } from '@muster/contract/console/work/work-fields'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { administratorName, useAdministrators } from '../../data/administrators.ts'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import type { BulkDialog, Selection } from '../../list/list-plan.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { useDialogAction } from '../../ui/dialog/use-dialog-action.ts'
import { ChoiceField, TextArea } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { MomentField } from '../../ui/form/moment-field.tsx'
import { counted } from '../../ui/text/counted.ts'
import { askSelection, changeSelection } from './change-selection.ts'

const nouns = { findings: 'finding', detections: 'detection' } as const

interface WorkDialogProps {
  readonly list: WorkList
  readonly selection: Selection
  readonly onClose: () => void
}

/** Number of the selected records; undefined while all that match are counted. */
function useSelected(list: WorkList, selection: Selection): number | undefined {
  const query = 'query' in selection ? selection.query : undefined
  const { data } = useQuery({
    queryKey: ['work-count', list, query],
    queryFn: () => callConsole('countWork', { body: { list, query: query ?? '' } }),
    enabled: query !== undefined,
    gcTime: 0,
  })
  return 'ids' in selection ? selection.ids.length : data?.count
}

/** Submission of a change of the selected records. Closing the dialog stops after the current request. */
function useChange({ list, selection, onClose }: WorkDialogProps, doneText: string) {
  const reload = useReload()
  const [done, setDone] = useState(0)
  const stopped = useRef(false)
  const close = () => {
    stopped.current = true
    onClose()
  }
  const change = useRef<WorkChange>({})
  const mutation = useDialogAction(
    () => changeSelection(list, selection, change.current, setDone, () => stopped.current),
    onClose,
    async (changed) => {
      showToast(`${counted(changed, nouns[list])} ${doneText}.`)
      await reload()
    },
  )
  const sending = { isPending: mutation.isPending, error: mutation.error }
  const run = (what: WorkChange) => () => {
    change.current = what
    mutation.mutate()
  }
  return { sending, run, close, done }
}

function Scope({ list, count, done }: { list: WorkList; count: number | undefined; done: number }) {
  return (
    <p className="soft" role="status">
      {count === undefined
        ? 'Counting…'
        : done > 0
          ? `${done.toLocaleString('en-GB')} of ${counted(count, nouns[list])}`
          : `This changes ${counted(count, nouns[list])}.`}
    </p>
  )
}

/** Assigns records to an administrator. */
function AssignDialog(props: WorkDialogProps) {
  const { list, selection } = props
  const { data } = useAdministrators()
  const [assignee, setAssignee] = useState('')
  const count = useSelected(list, selection)
  const { sending, run, close, done } = useChange(props, assignee === '' ? 'unassigned' : 'assigned')
  const people = (data?.administrators ?? []).map((one) => [one.id, administratorName(one)] as const)
  return (
    <Dialog title={`Assign ${nouns[list]}s`} onClose={close} narrow>
      <Form
        sending={{ ...sending, mutate: run({ assigneeId: assignee === '' ? null : assignee }) }}
        action="Assign"
        disabled={!data || count === undefined}
        onCancel={close}
      >
        <Scope list={list} count={count} done={done} />
        <ChoiceField
          label="Assignee"
          choices={[['', 'Nobody'], ...people]}
          {...bound(assignee, setAssignee)}
        />
      </Form>
    </Dialog>
  )
}

const day = 86_400

const pauses = {
  SNOOZED: {
    title: 'Snooze findings',
    action: 'Snooze',
    days: 7,
    reason: 'Reason (optional)',
    hint: 'They are to do again after this day, or earlier if they are resolved and reopen.',
    done: 'snoozed',
  },
  RISK_ACCEPTED: {
    title: 'Accept the risk',
    action: 'Accept risk',
    days: 90,
    reason: 'Reason',
    hint: 'They are to do again after this day, or earlier if they are resolved and reopen.',
    done: 'accepted',
  },
} as const

/** Snoozes findings or accepts their risk until a day. */
function PauseDialog({ status, ...props }: WorkDialogProps & { status: PauseStatus }) {
  const { list, selection } = props
  const words = pauses[status]
  const [until, setUntil] = useState<number | null>(() => Math.floor(Date.now() / 1000) + words.days * day)
  const [reason, setReason] = useState('')
  const count = useSelected(list, selection)
  const { sending, run, close, done } = useChange(props, words.done)
  const isRequired = status === 'RISK_ACCEPTED'
  const text = reason.trim()
  const change = { status, untilTimestamp: until ?? 0, ...(text !== '' && { reason: text }) }
  return (
    <Dialog title={words.title} onClose={close} narrow>
      <Form
        sending={{ ...sending, mutate: run(change) }}
        action={words.action}
        disabled={count === undefined || until === null || (isRequired && text === '')}
        onCancel={close}
      >
        <Scope list={list} count={count} done={done} />
        <MomentField
          kind="day"
          label="Until"
          hint={words.hint}
          name="change.untilTimestamp"
          required
          seconds={until}
          onChange={setUntil}
        />
        <TextArea
          label={words.reason}
          name="change.reason"
          rows={3}
          maxLength={noteLengthMaximum}
          required={isRequired}
          {...bound(reason, setReason)}
        />
      </Form>
    </Dialog>
  )
}

/** Ends the snoozing or the acceptance of findings. */
function ToDoDialog(props: WorkDialogProps) {
  const { list, selection } = props
  const count = useSelected(list, selection)
  const { sending, run, close, done } = useChange(props, 'to do again')
  return (
    <Dialog title="Set to do" onClose={close} narrow>
      <Form
        sending={{ ...sending, mutate: run({ status: 'TO_DO' }) }}
        action="Set to do"
        disabled={count === undefined}
        onCancel={close}
      >
        <Scope list={list} count={count} done={done} />
        <p>They are no longer snoozed or accepted. Resolved findings stay resolved.</p>
      </Form>
    </Dialog>
  )
}

/** Asks the employees of findings by e-mail. */
function AskAllDialog({ selection, onClose }: Omit<WorkDialogProps, 'list'>) {
  const reload = useReload()
  const [done, setDone] = useState(0)
  const stopped = useRef(false)
  const count = useSelected('findings', selection)
  const close = () => {
    stopped.current = true
    onClose()
  }
  const sending = useDialogAction(
    () => askSelection(selection, setDone, () => stopped.current),
    onClose,
    async (asked) => {
      showToast(`${counted(asked, 'employee')} asked by e-mail.`)
      await reload()
    },
  )
  return (
    <Dialog title="Ask employees by e-mail" onClose={close} narrow>
      <Form
        sending={{ ...sending, mutate: () => sending.mutate() }}
        action="Send e-mails"
        disabled={count === undefined}
        onCancel={close}
      >
        <p className="soft" role="status">
          {count === undefined
            ? 'Counting…'
            : done > 0
              ? `${done.toLocaleString('en-GB')} of ${counted(count, 'finding')}`
              : `This asks the employees of ${counted(count, 'finding')}.`}
        </p>
        <p>
          Each employee gets one e-mail about everything that is to do, at most once a week. The page of a
          finding shows its text.
        </p>
      </Form>
    </Dialog>
  )
}

const assign = (list: WorkList): BulkDialog => ({
  id: 'assign',
  title: 'Assign',
  render: (dialog) => <AssignDialog list={list} {...dialog} />,
})

const pause = (status: PauseStatus): BulkDialog => ({
  id: status,
  title: pauses[status].action,
  render: (dialog) => <PauseDialog list="findings" status={status} {...dialog} />,
})

/** Changes of findings that dialogs ask for. */
export const findingWorkDialogs: readonly BulkDialog[] = [
  assign('findings'),
  pause('SNOOZED'),
  pause('RISK_ACCEPTED'),
  {
    id: 'to-do',
    title: 'Set to do',
    render: (dialog) => <ToDoDialog list="findings" {...dialog} />,
  },
  {
    id: 'ask',
    title: 'Ask by e-mail',
    render: (dialog) => <AskAllDialog {...dialog} />,
  },
]

/** Changes of detections that dialogs ask for. */
export const detectionWorkDialogs: readonly BulkDialog[] = [assign('detections')]
