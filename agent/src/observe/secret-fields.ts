import { deepTarget } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'

/**
 * Fields that have been password fields. "Show password" turns them into text fields or replaces them with one; the
 * content is still a password.
 */
const known = new WeakSet<HTMLInputElement>()
/** The same fields, held weakly so unused ones can be collected, to compare their values. */
const recent = new Set<WeakRef<HTMLInputElement>>()
const recentMaximum = 100

function note(element: HTMLInputElement): void {
  if (known.has(element)) return
  known.add(element)
  recent.add(new WeakRef(element))
  const [oldest] = recent
  if (recent.size > recentMaximum && oldest) recent.delete(oldest)
}

/** Returns true if a text equals the content of a current or former password field, ignoring surrounding spaces. */
export function isSecretText(text: string): boolean {
  const wanted = text.trim()
  return wanted !== '' && [...recent].some((field) => field.deref()?.value.trim() === wanted)
}

/** Returns true if a field holds a password, hidden or shown. */
export function isSecretField(element: HTMLInputElement): boolean {
  if (element.type === 'password') note(element)
  return known.has(element) ? /^(?:password|text)$/.test(element.type) : isShownInstead(element)
}

const isShownInstead = ({ type, value }: HTMLInputElement) => type === 'text' && isSecretText(value)

/** Records password fields when users reach them, because a page may reveal their content before it is read. */
export function trackSecretFields(): void {
  for (const kind of ['focusin', 'input'] as const)
    onPageEvent(kind, (event) => {
      const target = deepTarget(event)
      if (target instanceof HTMLInputElement && target.type === 'password') note(target)
    })
}
