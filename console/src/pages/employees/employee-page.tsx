import type { Employee } from '@muster/contract/records/employee'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callRecord } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { personName } from '../../data/person.ts'
import { useRecord, useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { useUndoable } from '../../ui/dialog/use-undoable.ts'
import { Monogram } from '../../ui/monogram.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { FoundRisk } from '../../ui/page/priority-badge.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { CopyText } from '../../ui/text/copy-button.tsx'
import { FullMoment } from '../../ui/text/moment.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'
import { DirectoryCard, useDirectoryEntry } from './directory-card.tsx'
import { EmployeeDialog } from './employee-dialog.tsx'
import { EmployeeObserved } from './employee-observed.tsx'
import { withoutLicense } from './employees-plan.tsx'
import { EnrollmentDialog } from './enrollment-dialog.tsx'
import { GroupsCard } from './groups-card.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { OffboardDialog } from './offboard-dialog.tsx'
import { PersonalDataCard } from './personal-data-card.tsx'
import { TimelineCard } from './timeline-card.tsx'

/** Page of an employee. */
export function EmployeePage() {
  const query = useRecord('getEmployee')
  return (
    <RecordPage query={query} list={{ path: '/employees', title: 'Employees' }}>
      {(employee) => <Person employee={employee} />}
    </RecordPage>
  )
}

function Person({ employee }: { employee: Employee }) {
  const mayWrite = useHasRole('FULL_ACCESS')
  const [open, setOpen] = useState<'edit' | 'enroll' | 'merge' | 'offboard'>()
  const reload = useReload()
  const entry = useDirectoryEntry(employee.id)
  const close = () => setOpen(undefined)
  const { id, licensed, mergedIntoId } = employee
  const change = useUndoable()
  const setLicensed = (next: boolean) => () => callRecord('updateEmployee', { id, body: { licensed: next } })
  const toggleLicense = () =>
    change.mutate({
      text: licensed ? `License removed. ${withoutLicense}` : 'License assigned.',
      run: setLicensed(!licensed),
      undo: setLicensed(licensed),
    })
  return (
    <>
      <PageHead
        title={personName(employee)}
        mark={<Monogram name={personName(employee)} of="person" large />}
        aside={licensed ? <Badge tone="good">Licensed</Badge> : <Badge>No license</Badge>}
      >
        {mayWrite && mergedIntoId === null && (
          <>
            <PushButton kind="primary" onClick={() => setOpen('enroll')}>
              Enroll browser
            </PushButton>
            <PushButton busy={change.isPending} onClick={toggleLicense}>
              {licensed ? 'Remove license' : 'Assign license'}
            </PushButton>
            <PushButton onClick={() => setOpen('edit')}>Edit</PushButton>
            <PushButton onClick={() => setOpen('merge')}>Merge</PushButton>
            <PushButton kind="danger" onClick={() => setOpen('offboard')}>
              Offboard
            </PushButton>
          </>
        )}
      </PageHead>
      {mergedIntoId !== null && <MergedNotice id={id} into={mergedIntoId} mayWrite={mayWrite} />}
      <div className="columns">
        <EmployeeObserved id={id} />
        <div className="stack">
          <Card title="About">
            <Facts
              facts={[
                ['Risk', <FoundRisk key="risk" list="employees" id={id} search={{ employeeId: id }} />],
                ['E-mail address', <CopyText key="email" text={employee.email} what="address" />],
                ['Additional addresses', employee.secondaryEmails.join(', ')],
                ['Department', employee.department],
                ['Location', employee.location],
                ['Added', <FullMoment key="seen" seconds={employee.creationTimestamp} />],
              ]}
            />
          </Card>
          <DirectoryCard entry={entry} />
          <GroupsCard employee={employee} fixed={entry?.groups ?? []} mayWrite={mayWrite} />
          <TimelineCard id={id} />
          {mayWrite && mergedIntoId === null && <PersonalDataCard id={id} />}
        </div>
      </div>
      {open === 'edit' && (
        <EmployeeDialog employee={employee} managed={entry?.members ?? []} onClose={close} onSaved={reload} />
      )}
      {open === 'enroll' && <EnrollmentDialog employee={employee} onClose={close} onMade={reload} />}
      {open === 'offboard' && <OffboardDialog employee={employee} onClose={close} onDone={reload} />}
      {open === 'merge' && <MergeDialog employee={employee} onClose={close} onMerged={reload} />}
    </>
  )
}

function MergedNotice({ id, into, mayWrite }: { id: string; into: string; mayWrite: boolean }) {
  const reload = useReload()
  const unmerge = useMutation({
    mutationFn: () => callRecord('unmergeEmployee', { id }),
    onSuccess: async () => {
      showToast('Employee unmerged. The license was not restored.')
      await reload()
    },
    onError: (error) => showToast(messageOf(error), true),
  })
  return (
    <div className="notice row wrap">
      <span className="grow">
        Merged into{' '}
        <Link to="/employees/$id" params={{ id: into }}>
          <PersonLink id={into} plain />
        </Link>
        . All activity is shown there.
      </span>
      {mayWrite && (
        <PushButton busy={unmerge.isPending} onClick={() => unmerge.mutate()}>
          Unmerge
        </PushButton>
      )}
    </div>
  )
}
