import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { KeyHint } from '../ui/keys/key-hint.tsx'

/** After so long without a key the search is asked. */
const typingMs = 250

/** A text to search for, which is told when nobody has typed for a moment. */
export function SearchField({
  hint,
  text,
  input,
  onText,
}: {
  hint: string
  text: string
  input?: RefObject<HTMLInputElement | null>
  onText: (text: string) => void
}) {
  const [typed, setTyped] = useState(text)
  const told = useRef(text)
  useEffect(() => {
    // What was told here comes back when more may be typed already: only another text is taken over.
    if (text !== told.current) setTyped(text)
    told.current = text
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait
  useEffect(() => {
    if (typed.trim() === text) return
    const timer = setTimeout(() => {
      told.current = typed.trim()
      onText(told.current)
    }, typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className="search">
      <Search aria-hidden />
      <input
        {...(input ? { ref: input } : {})}
        className="input"
        type="search"
        aria-label={hint}
        placeholder={hint}
        maxLength={254}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Escape leads to the rows that were found; browsers would empty the field as well.
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
      {input && <KeyHint keys="/" />}
    </div>
  )
}
