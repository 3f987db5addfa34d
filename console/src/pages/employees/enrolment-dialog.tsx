import type { Employee } from '@muster/contract/employee'
import { useMutation } from '@tanstack/react-query'
import { callRecord } from '../../data/call.ts'
import { nameOf } from '../../data/person.ts'
import { PushButton } from '../../ui/button.tsx'
import { SecretText } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'
import { FullMoment } from '../../ui/moment.tsx'
import { QrCode } from '../../ui/qr-code.tsx'

/** Makes an enrolment link, to be copied, scanned or mailed. */
export function EnrolmentDialog({
  employee,
  onClose,
  onMade,
}: {
  employee: Employee
  onClose: () => void
  onMade: () => Promise<void>
}) {
  const make = useMutation({
    mutationFn: () => callRecord('createEnrollmentLink', { id: employee.id }),
    onSuccess: onMade,
  })
  const link = make.data?.enrollmentLink ?? ''
  const mail = `mailto:${encodeURIComponent(employee.email)}?${new URLSearchParams({
    subject: 'Connect your browser',
    body: `Please open this link in the browser that you work with:\n\n${link}\n`,
  })
    .toString()
    .replaceAll('+', '%20')}`
  return (
    <Dialog title={`Enrol a browser of ${nameOf(employee)}`} onClose={onClose}>
      {make.data ? (
        <>
          <SecretText text={link} label="Copy the link" />
          <QrCode text={link} label="QR code of the link" />
          <p className="soft small">
            It works once, until <FullMoment seconds={make.data.expirationTimestamp} />.
          </p>
          <div className="dialog-actions">
            <a className="button" href={mail}>
              Send by mail
            </a>
            <PushButton kind="primary" onClick={onClose}>
              Done
            </PushButton>
          </div>
        </>
      ) : (
        <>
          <p>
            The link connects one browser to {nameOf(employee)}, once.
            {!employee.licensed && ' The employee is licensed by it.'} An older link that was not used stops
            working.
          </p>
          <FormError error={make.error} />
          <div className="dialog-actions">
            <PushButton onClick={onClose}>Cancel</PushButton>
            <PushButton kind="primary" busy={make.isPending} onClick={() => make.mutate()}>
              Make the link
            </PushButton>
          </div>
        </>
      )}
    </Dialog>
  )
}
