import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { PushButton } from './button.tsx'
import { tell } from './toasts.tsx'

/** Copies a text. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      tell('The browser does not allow copying here: mark the text and copy it by hand.', true)
    }
  }
  return (
    <PushButton onClick={() => void copy()} aria-label={copied ? 'Copied' : label}>
      {copied ? <Check /> : <Copy />}
      {copied ? 'Copied' : 'Copy'}
    </PushButton>
  )
}

/** A text that is to be taken away, with a button that copies it. */
export function SecretText({ text, label }: { text: string; label: string }) {
  return (
    <div className="secret">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
