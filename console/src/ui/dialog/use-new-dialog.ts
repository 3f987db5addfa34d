import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useKeys } from '../keys/use-keys.ts'

/** URL fragment that opens the "new" dialog of a page. */
export const newHash = 'new'

/**
 * State of the dialog in which a page adds something. It opens with the `c` key or with the fragment `#new`, which the
 * command palette uses.
 *
 * @param title label in the keyboard help
 * @param may true if the administrator is allowed to add
 */
export function useNewDialog(title: string, may: boolean): [open: boolean, setOpen: (open: boolean) => void] {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== newHash) return
    if (may) setOpen(true)
    void navigate({ to: '.', hash: '', search: true, replace: true })
  }, [hash, may, navigate])
  useKeys([{ keys: 'c', title, group: 'This page', run: () => may && setOpen(true) }])
  return [open, setOpen]
}
