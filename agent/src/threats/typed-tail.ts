import { fingerprintOf, hintOf } from '../password/fingerprint.ts'
import type { ProtectedHint } from '../password/password-history.ts'

/** No more is kept of what was typed; no password that is looked for is longer. */
const tailMaximum = 128

/** What keys put in last, in one place of a page: kept in memory only, and no longer than is compared. */
export interface TypedTail {
  readonly text: string
}

export const emptyTail: TypedTail = { text: '' }

/** Moves on by one key, as `KeyboardEvent.key` names it. */
export function afterKey(tail: TypedTail, key: string): TypedTail {
  if (key === 'Backspace') return { text: tail.text.slice(0, -1) }
  if (key === 'Enter' || key === 'Tab' || key === 'Escape') return emptyTail
  return key.length === 1 || /^\P{ASCII}{1,2}$/u.test(key)
    ? { text: (tail.text + key).slice(-tailMaximum) }
    : tail
}

/**
 * Fingerprints of the ends of a text that may be a protected password: of the right length and with the
 * right hint. One in 256 texts of the right length has it by chance; the background knows which it is.
 */
export function suspects(text: string, salt: string, hints: readonly ProtectedHint[]): string[] {
  const lengths = new Set(hints.map(({ length }) => length))
  return Array.from(lengths).flatMap((length) => {
    if (length === 0 || text.length < length) return []
    const fingerprint = fingerprintOf(salt, text.slice(-length))
    const fits = hints.some((hint) => hint.length === length && hint.hint === hintOf(fingerprint))
    return fits ? [fingerprint] : []
  })
}
