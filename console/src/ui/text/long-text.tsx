import { type ReactNode, useState } from 'react'

/** Texts with more characters than this are cut off until they are expanded. */
const shortLength = 200

/** Shows the first lines of a long text, with a button that shows all of it. */
export function LongText({ text, children = text }: { text: string; children?: ReactNode }) {
  const [open, setOpen] = useState(false)
  if (text.length <= shortLength) return <span>{children}</span>
  return (
    <span className="long-text">
      <span className={open ? undefined : 'clamped'}>{children}</span>
      <button type="button" className="button link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : `Show all ${text.length.toLocaleString('en-GB')} characters`}
      </button>
    </span>
  )
}
