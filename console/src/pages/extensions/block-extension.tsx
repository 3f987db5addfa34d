import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { useMay } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useControls } from '../controls/use-controls.ts'

/** Blocks an extension in all browsers, or takes that back. */
export function BlockExtension({ extensionId, browsers }: { extensionId: string; browsers: string }) {
  const { data } = useControls()
  const mayWrite = useMay('FULL_ACCESS')
  const reload = useReload()
  const [asking, setAsking] = useState(false)
  if (!data) return null
  const { blockedExtensionIds } = data.controls
  const blocked = blockedExtensionIds.includes(extensionId)
  const change = async () => {
    const others = blockedExtensionIds.filter((id) => id !== extensionId)
    const ids = blocked ? others : [...others, extensionId]
    await callConsole('changeControls', {
      body: { seen: data.version, change: { blockedExtensionIds: ids } },
    })
    await reload()
  }
  return (
    <>
      {blocked && <Badge tone="critical">Blocked</Badge>}
      {mayWrite && (
        <PushButton kind={blocked ? '' : 'danger'} onClick={() => setAsking(true)}>
          {blocked ? 'Do not block' : 'Block'}
        </PushButton>
      )}
      {asking && (
        <Confirm
          title={blocked ? 'Block it no more?' : 'Block this extension?'}
          action={blocked ? 'Do not block' : 'Block'}
          run={change}
          onClose={() => setAsking(false)}
        >
          <p>
            {blocked
              ? 'Employees can enable it again.'
              : `The agent disables it in every browser at its next report; it is enabled in ${browsers} now.`}
          </p>
        </Confirm>
      )}
    </>
  )
}
