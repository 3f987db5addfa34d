import type { ControlScope } from '@muster/contract/console/console-controls'
import type { Banner } from '@muster/contract/records/controls'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceField, TextArea, TextField } from '../../../ui/form/field.tsx'
import { atOnce, bound, Form } from '../../../ui/form/form.tsx'
import { scopeOf } from '../protections/scope.ts'
import { ScopeFields } from '../protections/scope-fields.tsx'
import { bannerId } from './banner-id.ts'
import { BannerPreview } from './banner-preview.tsx'

const modes: readonly (readonly [Banner['mode'], string])[] = [
  ['INFORM', 'Inform – can be dismissed'],
  ['ACKNOWLEDGE', 'Acknowledge – must be confirmed'],
  ['REASON', 'Reason – must be justified'],
  ['BLOCK', 'Block – the app cannot be used'],
]

/** Adds or edits a banner, with a preview. */
export function BannerDialog({
  banner,
  ids,
  onClose,
  onDone,
}: {
  /** Undefined for a new banner. */
  banner: Banner | undefined
  /** IDs that are already used. */
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
    <Dialog title={banner ? 'Edit banner' : 'Add banner'} onClose={onClose}>
      <Form
        sending={atOnce(() =>
          onDone({ id: banner?.id ?? bannerId(title, ids), ...scopeOf(scope), ...words }),
        )}
        action={banner ? 'Apply' : 'Add banner'}
        onCancel={onClose}
      >
        <ChoiceField label="Type" choices={modes} {...bound(mode, setMode)} />
        <TextField label="Title" required maxLength={200} {...bound(title, setTitle)} />
        <TextArea label="Text" maxLength={1000} {...bound(subtext, setSubtext)} />
        <TextField
          label="Button label"
          hint="Leave empty to use the default."
          maxLength={60}
          {...bound(buttonText, setButtonText)}
        />
        <BannerPreview {...words} />
        <ScopeFields scope={scope} ofBanner onChange={setScope} />
      </Form>
    </Dialog>
  )
}
