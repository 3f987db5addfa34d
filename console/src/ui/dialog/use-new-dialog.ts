import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useKeys } from '../keys/use-keys.ts'

/** What an address ends with that opens the dialog of its page. */
export const newHash = 'new'

/**
 * Whether the dialog is open by which a page adds something. The key `c` opens it, and so does an address that ends with
 * `#new`, by which the palette leads there.
 *
 * @param title what it does, for the help on keys
 * @param may whether the person may do it
 */
export function useNewDialog(title: string, may: boolean): [open: boolean, setOpen: (open: boolean) => void] {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== newHash) return
    if (may) setOpen(true)
    void navigate({ to: '.', hash: '', search: true as never, replace: true })
  }, [hash, may, navigate])
  useKeys([{ keys: 'c', title, group: 'This page', run: () => may && setOpen(true) }])
  return [open, setOpen]
}
