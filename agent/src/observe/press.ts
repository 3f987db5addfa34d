import { deepTarget } from './deep-dom.ts'

/** What a person did that may hand a form in. */
export type Press =
  | {
      readonly kind: 'HAND_IN'
      readonly field: HTMLInputElement | null
      readonly form: HTMLFormElement | null
    }
  /** A link to another page was followed. */
  | { readonly kind: 'LINK' }
  | { readonly kind: 'NOTHING' }

const nothing: Press = { kind: 'NOTHING' }
const buttons = 'button, input[type="submit"], input[type="button"], input[type="image"], [role="button"], a'

/** Buttons beside a form that do not hand it in. */
const asideWords =
  /\b(?:show|hide|reveal|toggle|see|view|forgot|reset|cancel|close|back|dismiss|clear|help|cookies?|accept all|reject|language|sign up|register)\b/i

function wordsOf(element: Element): string {
  const value = element instanceof HTMLInputElement ? element.value : (element.textContent ?? '')
  const names = ['aria-label', 'title', 'class', 'id'].map((name) => element.getAttribute(name) ?? '')
  return [value.slice(0, 80), ...names].join(' ').replace(/[-_]+/g, ' ')
}

function isLinkElsewhere(element: Element): boolean {
  if (!(element instanceof HTMLAnchorElement)) return false
  const href = element.getAttribute('href') ?? ''
  return href !== '' && !href.startsWith('#') && !href.toLowerCase().startsWith('javascript:')
}

/** What a trusted click means; a click on what is drawn to look like a button counts as one. */
export function pressOfClick(event: MouseEvent): Press {
  const target = deepTarget(event)
  if (!event.isTrusted || !target) return nothing
  const pressed = target.closest(buttons) ?? (getComputedStyle(target).cursor === 'pointer' ? target : null)
  if (
    !pressed ||
    target.closest('input:not([type="submit"]):not([type="button"]):not([type="image"]), label, select')
  ) {
    return nothing
  }
  if (isLinkElsewhere(pressed)) return { kind: 'LINK' }
  if (asideWords.test(wordsOf(pressed))) return nothing
  const form =
    pressed instanceof HTMLButtonElement || pressed instanceof HTMLInputElement ? pressed.form : null
  return { kind: 'HAND_IN', field: null, form }
}

/** What a trusted key means: Enter in a field hands its form in. */
export function pressOfKey(event: KeyboardEvent): Press {
  const target = deepTarget(event)
  if (!event.isTrusted || event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return nothing
  return { kind: 'HAND_IN', field: target, form: null }
}

/** A form that the browser itself hands in; the event cannot be made by the page's scripts alone. */
export function pressOfSubmit(event: SubmitEvent): Press {
  const form = event.composedPath()[0]
  if (!event.isTrusted || !(form instanceof HTMLFormElement)) return nothing
  return { kind: 'HAND_IN', field: null, form }
}
