import { deepAll, deepTarget, isVisible } from './deep-dom.ts'
import { onPageEvent } from './page-events.ts'
import { maySubmit, type PressFacts } from './press-kind.ts'
import { spellOut } from './spell-out.ts'
import { plainText } from './words/word-list.ts'

/** User action that may submit a form. */
export type Press =
  | {
      readonly kind: 'SUBMIT'
      readonly field: HTMLInputElement | null
      readonly form: HTMLFormElement | null
    }
  /** A link to another page was followed. */
  | { readonly kind: 'LINK' }
  | { readonly kind: 'NOTHING' }

const nothing: Press = { kind: 'NOTHING' }
const submits = 'button, input[type="submit"], input[type="image"]'
const buttons = `${submits}, input[type="button"], [role="button"], a`
/** Controls that handle a click themselves, and labels of fields. */
const fields = 'input:not([type="submit"]):not([type="button"]):not([type="image"]), select, textarea'
const textMaximum = 80

type Submit = HTMLButtonElement | HTMLInputElement

const isSubmit = (element: Element): element is Submit =>
  (element instanceof HTMLButtonElement && element.type === 'submit') ||
  (element instanceof HTMLInputElement && (element.type === 'submit' || element.type === 'image'))

/** Returns the closest matching ancestor of an element, or the element itself, also across shadow roots. */
function closestDeep(element: Element, selector: string): Element | null {
  for (let inside: Element | null = element; inside; ) {
    const found: Element | null = inside.closest(selector)
    if (found) return found
    const root: Node = inside.getRootNode()
    inside = root instanceof ShadowRoot ? root.host : null
  }
  return null
}

function textOf(element: Element): string {
  const value = element instanceof HTMLInputElement ? element.value : (element.textContent ?? '')
  return plainText(value.slice(0, textMaximum))
}

const namesOf = (element: Element) => {
  const icon = element.querySelector('[aria-label], [title], img[alt], svg title')
  const icons = [icon?.getAttribute('aria-label'), icon?.getAttribute('alt'), icon?.textContent]
  const own = ['aria-label', 'title', 'alt', 'class', 'id'].map((name) => element.getAttribute(name))
  return spellOut([...own, ...icons].map((name) => name ?? '').join(' '))
}

const hasPassword = (form: HTMLFormElement) => deepAll(form, 'input[type="password"]').length > 0

/** Returns the native submit button of the password form, in the given form or on the page. */
function submitOf(form: HTMLFormElement | null, pressed: Element): Submit | undefined {
  const forms = form ? [form] : Array.from(document.forms).filter(hasPassword)
  return forms
    .flatMap((one) => deepAll(one, submits).filter(isSubmit))
    .find((button) => button !== pressed && isVisible(button) && !button.disabled)
}

function factsOf(pressed: Element, form: HTMLFormElement | null): PressFacts {
  const submit = submitOf(form, pressed)
  return {
    text: textOf(pressed) || plainText(pressed.getAttribute('aria-label') ?? ''),
    names: namesOf(pressed),
    isSubmit: isSubmit(pressed) && form !== null && hasPassword(form),
    otherSubmit: submit ? textOf(submit) : '',
  }
}

function isLinkElsewhere(element: Element): boolean {
  if (!(element instanceof HTMLAnchorElement)) return false
  const href = element.getAttribute('href') ?? ''
  return href !== '' && !href.startsWith('#') && !href.toLowerCase().startsWith('javascript:')
}

/** Returns true if an element is styled as clickable, or is a custom button element. */
const looksPressable = (element: Element) =>
  getComputedStyle(element).cursor === 'pointer' || /-(?:button|btn|submit)$/.test(element.localName)

/** Returns the form of a button, also across shadow roots. */
function formAround(pressed: Element): HTMLFormElement | null {
  const own =
    pressed instanceof HTMLButtonElement || pressed instanceof HTMLInputElement ? pressed.form : null
  if (own) return own
  const around = closestDeep(pressed, 'form')
  return around instanceof HTMLFormElement ? around : null
}

function pressOf(pressed: Element): Press {
  if (isLinkElsewhere(pressed)) return { kind: 'LINK' }
  const form = formAround(pressed)
  if (!maySubmit(factsOf(pressed, form))) return nothing
  return { kind: 'SUBMIT', field: null, form: form && hasPassword(form) ? form : ownForm(pressed) }
}

/** Interprets a trusted click. Elements styled as buttons count as buttons. */
export function pressOfClick(event: MouseEvent): Press {
  const target = deepTarget(event)
  if (!event.isTrusted || !target) return nothing
  const label = target.closest('label')
  const labeled = label?.control?.matches(buttons) ? label.control : null
  if (target.closest(fields) || (label && !labeled)) return nothing
  const pressed = labeled ?? closestDeep(target, buttons) ?? (looksPressable(target) ? target : null)
  return pressed ? pressOf(pressed) : nothing
}

/** Returns the form that owns a button. A form without a password is submitted as well. */
const ownForm = (pressed: Element) =>
  pressed instanceof HTMLButtonElement || pressed instanceof HTMLInputElement ? pressed.form : null

/** Interprets a trusted key press: Enter submits the form of a field and activates a custom button. */
export function pressOfKey(event: KeyboardEvent): Press {
  const target = deepTarget(event)
  if (!event.isTrusted || event.isComposing || !target || !/^(?:Enter| )$/.test(event.key)) return nothing
  if (target.matches('[role="button"]:not(button, input, a)')) return pressOf(target)
  if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return nothing
  return { kind: 'SUBMIT', field: target, form: null }
}

/** Interprets a native form submission. Page scripts alone cannot produce a trusted event. */
export function pressOfSubmit(event: SubmitEvent): Press {
  const form = event.composedPath()[0] ?? event.target
  if (!event.isTrusted || !(form instanceof HTMLFormElement)) return nothing
  return { kind: 'SUBMIT', field: null, form }
}

const rootsKnown = new WeakSet<ShadowRoot>()

/**
 * Listens to form submissions, including those in shadow roots, whose `submit` events do not leave the root. Users
 * touch a form before they submit it, so only the roots around focused or pressed elements need listeners.
 */
export function listenToSubmits(listener: (event: SubmitEvent) => void): void {
  onPageEvent('submit', listener)
  const listenAround = (event: Event) => {
    let root = deepTarget(event)?.getRootNode()
    for (; root instanceof ShadowRoot; root = root.host.getRootNode()) {
      if (rootsKnown.has(root)) continue
      rootsKnown.add(root)
      root.addEventListener('submit', (submit) => listener(submit as SubmitEvent), true)
    }
  }
  for (const kind of ['focusin', 'click', 'keydown'] as const) onPageEvent(kind, listenAround)
}
