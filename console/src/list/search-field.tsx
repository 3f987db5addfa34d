import { Search } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { KeyHint } from '../ui/keys/key-hint.tsx'

/** Debounce time of the search. */
const typingMs = 250

/** Debounced search input. */
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
  const reported = useRef(text)
  useEffect(() => {
    // The reported text comes back as a property while more is typed; only take over a different one.
    if (text !== reported.current) setTyped(text)
    reported.current = text
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the timer
  useEffect(() => {
    if (typed.trim() === text) return
    const timer = setTimeout(() => {
      reported.current = typed.trim()
      onText(reported.current)
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
          // Leave the field without clearing it, which browsers would do.
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
      {input && <KeyHint keys="/" />}
    </div>
  )
}
