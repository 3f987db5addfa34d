import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { PushButton } from '../button.tsx'
import { showToast } from '../dialog/toasts.tsx'
import { Breakable } from './breakable.tsx'
import { LongText } from './long-text.tsx'

/** Time for which a button shows "Copied". */
const copiedMs = 4000

/** A single-line text with a small copy button. */
export function CopyText({ text, what, mono = false }: { text: string; what: string; mono?: boolean }) {
  const [copied, copy] = useCopy(text)
  return (
    <span className="copy-text">
      <LongText text={text}>
        {mono ? (
          <code>
            <Breakable text={text} />
          </code>
        ) : (
          <Breakable text={text} />
        )}
      </LongText>
      <button
        type="button"
        className="copy-mark"
        aria-label={copied ? 'Copied' : `Copy ${what}`}
        title="Copy"
        onClick={copy}
      >
        {copied ? <Check /> : <Copy />}
      </button>
    </span>
  )
}

/** Returns a function that copies a text, and true for a short time after it was copied. */
function useCopy(text: string): [copied: boolean, copy: () => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      showToast('The browser blocked copying. Select the text and copy it manually.', true)
    }
  }
  return [copied, () => void copy()]
}

/** Button that copies a text. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, copy] = useCopy(text)
  return (
    <PushButton onClick={copy} aria-label={copied ? 'Copied' : label}>
      {copied ? <Check /> : <Copy />}
      {copied ? 'Copied' : 'Copy'}
    </PushButton>
  )
}

/** A secret or link in a box with a copy button. */
export function SecretText({ text, label }: { text: string; label: string }) {
  return (
    <div className="secret">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
