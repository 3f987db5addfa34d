import type { ControlScope } from '@muster/contract/console/console-controls'
import type { Banner } from '@muster/contract/controls'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceField, TextArea, TextField } from '../../../ui/form/field.tsx'
import { atOnce, bound, Form } from '../../../ui/form/form.tsx'
import { scopeOf } from '../protections/scope.ts'
import { ScopeFields } from '../protections/scope-fields.tsx'
import { bannerId } from './banner-id.ts'
import { BannerPreview } from './banner-preview.tsx'

const modes: readonly (readonly [Banner['mode'], string])[] = [
  ['INFORM', 'Inform – a line that can be closed'],
  ['ACKNOWLEDGE', 'Acknowledge – a button must be pressed'],
  ['REASON', 'Reason – a reason must be typed'],
  ['BLOCK', 'Block – the app cannot be used'],
]

/** Makes or changes a banner, and shows what employees will see. */
export function BannerDialog({
  banner,
  ids,
  onClose,
  onDone,
}: {
  /** Undefined for a new one. */
  banner: Banner | undefined
  /** The names that are taken. */
  ids: readonly string[]
  onClose: () => void
  onDone: (banner: Banner) => void
}) {
  const [mode, setMode] = useState<Banner['mode']>(banner?.mode ?? 'INFORM')
  const [title, setTitle] = useState(banner?.title ?? '')
  const [subtext, setSubtext] = useState(banner?.subtext ?? '')
  const [buttonText, setButtonText] = useState(banner?.buttonText ?? '')
  const [scope, setScope] = useState<ControlScope>(scopeOf(banner ?? {}))
  const words = { mode, title, subtext, buttonText: buttonText === '' ? null : buttonText }
  return (
    <Dialog title={banner ? 'Change the banner' : 'Add a banner'} onClose={onClose}>
      <Form
        sending={atOnce(() =>
          onDone({ id: banner?.id ?? bannerId(title, ids), ...scopeOf(scope), ...words }),
        )}
        action={banner ? 'Take over' : 'Add'}
        onCancel={onClose}
      >
        <ChoiceField label="What it asks for" choices={modes} {...bound(mode, setMode)} />
        <TextField label="Title" required maxLength={200} {...bound(title, setTitle)} />
        <TextArea label="Text" maxLength={1000} {...bound(subtext, setSubtext)} />
        <TextField
          label="Words on the button"
          hint="Empty: the usual ones."
          maxLength={60}
          {...bound(buttonText, setButtonText)}
        />
        <BannerPreview {...words} />
        <ScopeFields scope={scope} ofBanner onChange={setScope} />
      </Form>
    </Dialog>
  )
}
