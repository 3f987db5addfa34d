import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useCovered } from '../../data/session.ts'
import { Toasts } from './toasts.tsx'

/**
 * A dialog over the page. The browser keeps the focus in it, gives it back afterwards, and closes it on Escape.
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
  /** It stands near the top, and what is typed into takes the place of the heading. */
  palette?: boolean
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const covered = useCovered()
  useLayoutEffect(() => {
    // Above the sign-in nothing opens.
    if (!covered && !dialog.current?.open) dialog.current?.showModal()
  }, [covered])
  useLayoutEffect(() => {
    const shown = dialog.current
    // Taken out of the page while it is open, it would leave the focus nowhere.
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
