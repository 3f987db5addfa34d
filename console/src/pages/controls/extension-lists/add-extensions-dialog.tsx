import { useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceField, TextArea } from '../../../ui/form/field.tsx'
import { atOnce, bound, CheckField, Form } from '../../../ui/form/form.tsx'
import { counted } from '../../../ui/text/counted.ts'
import { contentLines } from '../text-lines.ts'
import { type ExtensionEntry, extensionIdIn, type Risk } from './extension-entries.ts'

const risks: readonly (readonly [Risk | '', string])[] = [
  ['HIGH', 'High – raises a detection'],
  ['MEDIUM', 'Medium – raises a detection'],
  ['LOW', 'Low – raises a detection'],
  ['', 'None – no detection'],
]

/** Adds extensions to the lists: one ID or store URL per line. */
export function AddExtensionsDialog({
  onClose,
  onAdd,
}: {
  onClose: () => void
  onAdd: (entries: ExtensionEntry[]) => void
}) {
  const [text, setText] = useState('')
  const [blocked, setBlocked] = useState(true)
  const [risk, setRisk] = useState<Risk | ''>('HIGH')
  const lines = contentLines(text).map((line) => ({ ...line, extensionId: extensionIdIn(line.text) }))
  const wrong = lines.filter(({ extensionId }) => extensionId === undefined)
  const ids = [...new Set(lines.flatMap(({ extensionId }) => extensionId ?? []))]
  return (
    <Dialog title="Add extensions" onClose={onClose}>
      <Form
        sending={atOnce(() =>
          onAdd(ids.map((extensionId) => ({ extensionId, blocked, risk: risk || null }))),
        )}
        action={ids.length > 1 ? `Add ${counted(ids.length, 'extension')}` : 'Add extension'}
        disabled={ids.length === 0 || wrong.length > 0 || (!blocked && risk === '')}
        onCancel={onClose}
      >
        <TextArea
          label="Extensions, one per line"
          hint="The ID or the store URL of each extension."
          rows={5}
          spellCheck={false}
          error={
            wrong.length > 0
              ? `No extension ID in line ${wrong
                  .slice(0, 10)
                  .map(({ line }) => line)
                  .join(', ')}${wrong.length > 10 ? '…' : ''}.`
              : undefined
          }
          {...bound(text, setText)}
        />
        <CheckField checked={blocked} onChange={setBlocked}>
          Block (browsers disable them)
        </CheckField>
        <ChoiceField label="Risk" choices={risks} {...bound(risk, setRisk)} />
      </Form>
    </Dialog>
  )
}
