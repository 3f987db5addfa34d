import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useCovered } from '../../data/session.ts'
import { Toasts } from './toasts.tsx'

/**
 * Modal dialog. The browser traps the focus, restores it afterwards, and closes the dialog on Escape.
 */
export function Dialog({
  title,
  onClose,
  narrow = false,
  wide = false,
  palette = false,
  children,
}: {
  title: string
  onClose: () => void
  narrow?: boolean
  wide?: boolean
  /** Shows the dialog near the top, with an input in place of the heading. */
  palette?: boolean
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const covered = useCovered()
  useLayoutEffect(() => {
    // Nothing may open above the sign-in.
    if (!covered && !dialog.current?.open) dialog.current?.showModal()
  }, [covered])
  useLayoutEffect(() => {
    const shown = dialog.current
    // Removing an open dialog from the page would lose the focus.
    return () => {
      shown?.close()
      // The button that opened it may be gone, for example from an empty list that has an element now.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>('dialog[open], main')?.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog${narrow ? ' narrow' : ''}${wide ? ' wide' : ''}${palette ? ' palette' : ''}`}
      aria-labelledby={heading}
      onClose={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className="dialog-body">
        <h2 id={heading} className={palette ? 'visually-hidden' : undefined}>
          {title}
        </h2>
        {children}
      </div>
      <Toasts />
    </dialog>
  )
}
