import { Ban } from 'lucide-react'
import { useState } from 'react'
import { useReload } from '../../data/record.ts'
import { PushButton } from '../../ui/button.tsx'
import { BlockUrlsDialog } from '../controls/blocked-urls/block-urls-dialog.tsx'

/** Button that blocks the host of a detection. The pattern can be edited first. */
export function BlockHere({ host }: { host: string }) {
  const reload = useReload()
  const [open, setOpen] = useState(false)
  return (
    <span className="row">
      <PushButton onClick={() => setOpen(true)}>
        <Ban />
        Block {host}
      </PushButton>
      {open && <BlockUrlsDialog first={host} onClose={() => setOpen(false)} onAdded={reload} />}
    </span>
  )
}
