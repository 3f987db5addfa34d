import type { Employee } from '@muster/contract/records/employee'
import { useMutation } from '@tanstack/react-query'
import { callConsole, callRecord } from '../../data/call.ts'
import { personName } from '../../data/person.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { SecretText } from '../../ui/text/copy-button.tsx'
import { FullMoment } from '../../ui/text/moment.tsx'

interface Made {
  readonly link: string
  readonly expirationTimestamp: number
  /** Result of sending the e-mail; undefined if none was requested. */
  readonly sentBy?: 'SMTP' | 'FILE' | 'FAILED'
}

const sentWords = {
  SMTP: 'The link was sent to',
  FILE: 'No mail server is configured, so the message was saved in the “mail” folder of the data folder, addressed to',
  FAILED: 'The message could not be sent to',
} as const

/** Creates an enrollment link to copy or scan, or sends it by e-mail. */
export function EnrollmentDialog({
  employee,
  onClose,
  onMade,
}: {
  employee: Employee
  onClose: () => void
  onMade: () => Promise<void>
}) {
  const { id, email, licensed } = employee
  const make = useMutation({
    mutationFn: async (byMail: boolean): Promise<Made> => {
      if (byMail) return callConsole('mailEnrollmentLink', { body: { employeeId: id } })
      const { enrollmentLink: link, expirationTimestamp } = await callRecord('createEnrollmentLink', { id })
      return { link, expirationTimestamp }
    },
    onSuccess: () => void onMade(),
  })
  return (
    <Dialog title={`Enroll a browser for ${personName(employee)}`} onClose={onClose}>
      {make.data ? (
        <CreatedLink made={make.data} email={email} onClose={onClose} />
      ) : (
        <>
          <p>
            The link enrolls one browser for {personName(employee)} and works once.
            {!licensed && ' It also assigns a license.'} Older unused links stop working.
          </p>
          <FormError error={make.error} />
          <div className="dialog-actions">
            <PushButton onClick={onClose}>Cancel</PushButton>
            <PushButton busy={make.isPending} onClick={() => make.mutate(true)}>
              Email link
            </PushButton>
            <PushButton kind="primary" busy={make.isPending} onClick={() => make.mutate(false)}>
              Create link
            </PushButton>
          </div>
        </>
      )}
    </Dialog>
  )
}

function CreatedLink({ made, email, onClose }: { made: Made; email: string; onClose: () => void }) {
  const { link, expirationTimestamp, sentBy } = made
  return (
    <>
      {sentBy && (
        <p className={sentBy === 'SMTP' ? 'notice good' : 'notice warn'} role="status">
          {sentWords[sentBy]} {email}.
        </p>
      )}
      <SecretText text={link} label="Copy link" />
      <QrCode text={link} label="QR code of the link" />
      <p className="soft small">
        Works once. Expires <FullMoment seconds={expirationTimestamp} />.
      </p>
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          Done
        </PushButton>
      </div>
    </>
  )
}
