import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../../data/call.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { showToast } from '../../../ui/dialog/toasts.tsx'
import { TextArea } from '../../../ui/form/field.tsx'
import { bound, CheckField, Form } from '../../../ui/form/form.tsx'
import { counted } from '../../../ui/text/counted.ts'
import { chunks, contentLines } from '../text-lines.ts'

/** Maximum number of patterns per request (see console-controls in the contract). */
const atOnce = 500

interface Outcome {
  added: number
  known: number
  readonly refused: { line: number; text: string; message: string; publicSuffix: boolean }[]
}

/** Blocks addresses, one pattern per line. Lists the lines that were refused. */
export function BlockUrlsDialog({
  first = '',
  onClose,
  onAdded,
}: {
  /** Initial text. */
  first?: string
  onClose: () => void
  onAdded: () => Promise<void>
}) {
  const [text, setText] = useState(first)
  const [allowPublicSuffix, setAllowPublicSuffix] = useState(false)
  const lines = contentLines(text)
  const block = useMutation({
    mutationFn: async () => {
      const outcome: Outcome = { added: 0, known: 0, refused: [] }
      for (const piece of chunks(lines, atOnce)) {
        const patterns = piece.map((one) => one.text.slice(0, 2049))
        const answer = await callConsole('addBlockedUrls', { body: { patterns, allowPublicSuffix } })
        outcome.added += answer.added
        outcome.known += answer.known
        for (const { index, message, publicSuffix } of answer.refused) {
          const { line = 0, text = '' } = piece[index] ?? {}
          outcome.refused.push({ line, text, message, publicSuffix })
        }
      }
      return outcome
    },
    onSettled: () => void onAdded(),
    onSuccess: (outcome) => {
      // Keep refused lines for correction.
      setText(outcome.refused.map((one) => one.text).join('\n'))
      if (outcome.refused.length > 0) return
      onClose()
      showToast(`${outcomeText(outcome)} Browsers apply the change at their next check-in.`)
    },
  })
  const { data } = block
  return (
    <Dialog title="Block addresses" onClose={onClose}>
      <Form
        sending={block}
        action={lines.length > 1 ? `Block ${counted(lines.length, 'pattern')}` : 'Block'}
        disabled={lines.length === 0}
        onCancel={onClose}
        cancel={data ? 'Close' : 'Cancel'}
      >
        <TextArea
          label="Patterns, one per line"
          hint="example.net blocks the host, *.example.net also all its subdomains, example.net/login/* only these paths. Lines that start with # are ignored."
          rows={8}
          spellCheck={false}
          {...bound(text, setText)}
        />
        {data && <BlockOutcome outcome={data} />}
        {data?.refused.some(({ publicSuffix }) => publicSuffix) && (
          <CheckField checked={allowPublicSuffix} onChange={setAllowPublicSuffix}>
            Block whole public suffixes. Browsers will not open any site under them.
          </CheckField>
        )}
      </Form>
    </Dialog>
  )
}

/** Returns a warning about a pattern that covers a whole public suffix. */
const suffixWarning = (pattern: string): string => {
  const [, below, host = pattern] = /^(?:https?:\/\/)?(\*\.)?([^/:]+)/i.exec(pattern) ?? []
  return below === undefined
    ? `${host} is a public suffix, not a site.`
    : `This blocks every site under .${host}.`
}

function outcomeText({ added, known, refused }: Outcome): string {
  const number = (count: number) => count.toLocaleString('en-GB')
  const parts = [
    `${number(added)} added`,
    ...(known > 0 ? [`${number(known)} already blocked or duplicate`] : []),
    ...(refused.length > 0 ? [`${number(refused.length)} skipped`] : []),
  ]
  return `${parts.join(', ')}.`
}

function BlockOutcome({ outcome }: { outcome: Outcome }) {
  const { refused } = outcome
  return (
    <div className="stack tight" role="status">
      <p className={refused.length === 0 ? 'notice good' : 'notice warn'}>{outcomeText(outcome)}</p>
      {refused.length > 0 && (
        <ul className="lines wrong-lines">
          {refused.map(({ line, text, message, publicSuffix }) => (
            <li key={line}>
              <span className="soft">Line {line}</span>
              <code className="grow">{text.slice(0, 200)}</code>
              <span className="field-error">{publicSuffix ? suffixWarning(text) : `It ${message}.`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
