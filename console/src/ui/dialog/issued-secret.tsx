import type { ReactNode } from 'react'
import { PushButton } from '../button.tsx'
import { Dialog } from './dialog.tsx'

/** Shows a new secret, which the server does not show again, under headings. */
export function IssuedSecret({
  title,
  notice,
  parts,
  onClose,
}: {
  title: string
  notice: string
  parts: Readonly<Record<string, ReactNode>>
  onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice warn">{notice}</p>
      {Object.entries(parts).map(([heading, content]) => (
        <div key={heading} className="stack tight">
          <h3>{heading}</h3>
          {content}
        </div>
      ))}
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          I have copied it
        </PushButton>
      </div>
    </Dialog>
  )
}
