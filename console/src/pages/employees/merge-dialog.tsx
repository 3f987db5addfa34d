import type { Employee } from '@muster/contract/records/employee'
import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useRef, useState } from 'react'
import { callRecord } from '../../data/call.ts'
import { useCount, useFirstRecords } from '../../data/lists.ts'
import { personName } from '../../data/person.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { counted } from '../../ui/text/counted.ts'

/** At most five records including this one can be merged (REST contract, Employee). */
const atMost = 4

/** Merges other records of the same person into this one, with a preview. */
export function MergeDialog({
  employee,
  onClose,
  onMerged,
}: {
  employee: Employee
  onClose: () => void
  onMerged: () => Promise<void>
}) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly Employee[]>([])
  // Second records of a person usually have the same name, so these are offered before anything is typed.
  const text = useDeferredValue(typed.trim() || personName(employee))
  const found = useFirstRecords('employees', { search: text }, { limit: 8, enabled: text.length >= 2 })
  const isChosen = (id: string) => chosen.some((one) => one.id === id)
  const merge = useMutation({
    mutationFn: () =>
      callRecord('mergeEmployees', { id: employee.id, body: { employeeIds: chosen.map(({ id }) => id) } }),
    onSuccess: () => {
      showToast(`${chosen.length} merged into ${personName(employee)}.`)
      onClose()
      void onMerged()
    },
  })
  const field = useRef<HTMLInputElement>(null)
  const choose = (one: Employee | undefined) => {
    if (!one) return
    setChosen([...chosen, one])
    // Ready for the next search.
    setTyped('')
    field.current?.focus()
  }
  const offered = (found.data?.records ?? []).filter(
    ({ id, mergedIntoId }) => id !== employee.id && mergedIntoId === null && !isChosen(id),
  )
  return (
    <Dialog title={`Merge into ${personName(employee)}`} onClose={onClose}>
      <TextField
        label="Find other records of this person"
        type="search"
        hint={
          typed.trim() === '' && offered.length > 0
            ? 'Records with the same name are listed below. Press Enter to choose the first one.'
            : 'Press Enter to choose the first result.'
        }
        autoComplete="off"
        ref={field}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(offered[0])
        }}
        {...bound(typed, setTyped)}
      />
      {offered.length > 0 && chosen.length < atMost && (
        <ul className="lines">
          {offered.map((one) => (
            <li key={one.id}>
              <span className="grow">
                {personName(one)} <span className="soft">{one.email}</span>
              </span>
              <PushButton aria-label={`Choose ${one.email}`} onClick={() => choose(one)}>
                Choose
              </PushButton>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <section className="stack tight">
          <h3>What happens</h3>
          <ul className="lines">
            {chosen.map((one) => (
              <li key={one.id}>
                <Preview
                  employee={one}
                  onRemove={() => setChosen(chosen.filter(({ id }) => id !== one.id))}
                />
              </li>
            ))}
          </ul>
          <p className="soft small">
            Their e-mail addresses become additional addresses of {personName(employee)}. Only{' '}
            {personName(employee)} stays licensed. You can unmerge each record later.
          </p>
        </section>
      )}
      <Form sending={merge} action="Merge" disabled={chosen.length === 0} onCancel={onClose} />
    </Dialog>
  )
}

const moved = [
  ['accounts', 'account'],
  ['browsers', 'browser'],
  ['findings', 'finding'],
  ['detections', 'detection'],
] as const

function Preview({ employee, onRemove }: { employee: Employee; onRemove: () => void }) {
  return (
    <>
      <span className="grow">
        {personName(employee)} <span className="soft">{employee.email}</span>
        <br />
        <span className="soft small row wrap">
          Moves:
          {moved.map(([list, noun]) => (
            <Moved key={list} list={list} noun={noun} id={employee.id} />
          ))}
        </span>
      </span>
      <PushButton aria-label={`Remove ${employee.email}`} onClick={onRemove}>
        Remove
      </PushButton>
    </>
  )
}

function Moved({ list, noun, id }: { list: (typeof moved)[number][0]; noun: string; id: string }) {
  const { data } = useCount(list, { employeeId: id })
  return <span>{data ? counted(data.count, noun, `${noun}s`, data.more) : '…'}</span>
}
