import { deepTarget } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'

/**
 * Fields that hid what was typed into them. "Show password" makes plain text fields of them, or puts such a field in
 * their place; what is in it is a password all the same.
 */
const known = new WeakSet<HTMLInputElement>()
/** The same, to look at their values; a field that nobody needs any more may go. */
const recent = new Set<WeakRef<HTMLInputElement>>()
const recentMaximum = 100

function note(element: HTMLInputElement): void {
  if (known.has(element)) return
  known.add(element)
  recent.add(new WeakRef(element))
  const [oldest] = recent
  if (recent.size > recentMaximum && oldest) recent.delete(oldest)
}

/** Whether a text is what a field hides or hid; people put spaces around neither. */
export function isSecretText(text: string): boolean {
  const wanted = text.trim()
  return wanted !== '' && [...recent].some((field) => field.deref()?.value.trim() === wanted)
}

/** Whether a field holds a password, hidden or shown. */
export function isSecretField(element: HTMLInputElement): boolean {
  if (element.type === 'password') note(element)
  return known.has(element) ? /^(?:password|text)$/.test(element.type) : isShownInstead(element)
}

const isShownInstead = ({ type, value }: HTMLInputElement) => type === 'text' && isSecretText(value)

/** Takes note of fields as people come to them: a page may show what they hold before it is looked at. */
export function noteSecretFields(): void {
  for (const kind of ['focusin', 'input'] as const)
    onPageEvent(kind, (event) => {
      const target = deepTarget(event)
      if (target instanceof HTMLInputElement && target.type === 'password') note(target)
    })
}
