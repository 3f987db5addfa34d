import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { useControls } from '../controls/use-controls.ts'

/** Blocks or unblocks an extension in all browsers. */
export function BlockExtension({ extensionId, browsers }: { extensionId: string; browsers: string }) {
  const { data } = useControls()
  const mayWrite = useHasRole('FULL_ACCESS')
  const reload = useReload()
  // The question must not change if the list is reloaded meanwhile.
  const [asked, setAsked] = useState<'block' | 'release'>()
  if (!data) return null
  const blocked = data.controls.blockedExtensionIds.includes(extensionId)
  const change = async () => {
    // Read the latest list and change this extension only, in case others have changed it.
    const { controls, version } = await callConsole('readControls')
    const others = controls.blockedExtensionIds.filter((id) => id !== extensionId)
    const ids = asked === 'block' ? [...others, extensionId] : others
    await callConsole('changeControls', { body: { seen: version, change: { blockedExtensionIds: ids } } })
  }
  return (
    <>
      {blocked && <Badge tone="critical">Blocked</Badge>}
      {mayWrite && (
        <PushButton kind={blocked ? '' : 'danger'} onClick={() => setAsked(blocked ? 'release' : 'block')}>
          {blocked ? 'Unblock' : 'Block'}
        </PushButton>
      )}
      {asked && (
        <Confirm
          title={asked === 'release' ? 'Unblock this extension?' : 'Block this extension?'}
          action={asked === 'release' ? 'Unblock' : 'Block'}
          run={change}
          onDone={reload}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {asked === 'release'
              ? 'Employees can enable it again.'
              : `The agent disables it in every browser at the next check-in. It is currently enabled in ${browsers}.`}
          </p>
        </Confirm>
      )}
    </>
  )
}
