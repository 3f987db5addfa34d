import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * Covers the window, including dialogs, after the session has expired. Stays until somebody has signed in; nothing below
 * it can be reached.
 */
export function SignInAgain({ children }: { children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const show = () => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="sign-in-again"
      aria-label="Sign in"
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      // Browsers without support for `closedby` close it on the second Escape.
      onClose={show}
    >
      {children}
    </dialog>
  )
}
