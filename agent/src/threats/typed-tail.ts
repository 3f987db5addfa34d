import { fingerprintOf, hintOf } from '../password/fingerprint.ts'
import type { ProtectedHint } from '../password/password-history.ts'

/** Maximum length of kept text; no protected password that is recognized is longer. */
const tailMaximum = 128

/** Last typed characters in one place of a page. Kept in memory only, and no longer than needed for comparison. */
export interface TypedTail {
  readonly text: string
}

export const emptyTail: TypedTail = { text: '' }

/** Applies one key press, named as in `KeyboardEvent.key`. */
export function afterKey(tail: TypedTail, key: string): TypedTail {
  if (key === 'Backspace') return { text: tail.text.slice(0, -1) }
  if (key === 'Enter' || key === 'Tab' || key === 'Escape') return emptyTail
  return key.length === 1 || /^\P{ASCII}{1,2}$/u.test(key)
    ? { text: (tail.text + key).slice(-tailMaximum) }
    : tail
}

/**
 * Returns fingerprints of text ends that may be a protected password: with a matching length and hint. One in 256 texts
 * of that length matches by chance; the background knows the full fingerprints.
 */
export function candidateFingerprints(text: string, salt: string, hints: readonly ProtectedHint[]): string[] {
  const lengths = new Set(hints.map(({ length }) => length))
  return Array.from(lengths).flatMap((length) => {
    if (length === 0 || text.length < length) return []
    const fingerprint = fingerprintOf(salt, text.slice(-length))
    const fits = hints.some((hint) => hint.length === length && hint.hint === hintOf(fingerprint))
    return fits ? [fingerprint] : []
  })
}
