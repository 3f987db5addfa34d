import { type TextName, text, texts } from './texts.ts'

/**
 * Returns the element with an ID.
 *
 * @throws Error if the page has none, which is a bug
 */
export function part(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no element ${id}`)
  return element
}

/** Fills in every element that names its text (`data-text`). */
export function fillTexts(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    const name = element.dataset.text
    if (name !== undefined && Object.hasOwn(texts, name)) element.textContent = text(name as TextName)
  }
}

/** Shows a text in an element; null hides the element. */
export function show(id: string, content: string | null): void {
  const element = part(id)
  element.hidden = content === null
  if (content !== null) element.textContent = content
}

/** Formats a time in the employee's locale; today's times without the date. */
export function moment(seconds: number, now = new Date()): string {
  const date = new Date(seconds * 1000)
  const isToday = date.toDateString() === now.toDateString()
  return date.toLocaleString(undefined, { timeStyle: 'short', ...(isToday ? {} : { dateStyle: 'medium' }) })
}
