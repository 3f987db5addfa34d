import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * What stands above a page whose session has ended: it covers the whole window, above all dialogs, and stays until
 * somebody has signed in. Nothing below it can be reached.
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
      // A browser that does not know the property above closes it at the second Escape.
      onClose={show}
    >
      {children}
    </dialog>
  )
}
