import { isOwn } from '../../lib/own-elements.ts'
import { containsDeep, deepAll, isVisible } from '../deep-dom.ts'
import type { MessageFact } from '../page-facts.ts'
import { messageKind } from '../page-words.ts'
import { plainText } from '../words/word-list.ts'
import { keyOf } from './form-identity.ts'
import type { ShownForm } from './shown-forms.ts'

const alerts =
  '[role="alert"], [role="status"], [role="alertdialog"], [aria-live="assertive"], [aria-live="polite"], [class*="toast" i], [class*="snackbar" i], [class*="notification" i]'
const marked =
  '[aria-invalid="true"], [class*="error" i], [class*="alert" i], [class*="invalid" i], [class*="danger" i], [class*="warning" i], [id*="error" i]'
const messageMaximum = 400
const messagesMaximum = 20
const shortPage = 600

/** Appearances of messages. An element whose text disappeared and returned counts as a new one. */
const showings = new WeakMap<Element, { text: string; times: number; isGone: boolean }>()
let watched = 0
const watchedMaximum = 50

const textOf = (element: Element) => plainText((element.textContent ?? '').slice(0, messageMaximum + 1))

/** Watches some of the messages to notice when they disappear. */
function watch(element: Element): void {
  if (watched++ >= watchedMaximum) return
  const observer = new MutationObserver(() => {
    const showing = showings.get(element)
    if (showing && (!isVisible(element) || textOf(element) !== showing.text)) showing.isGone = true
  })
  observer.observe(element, { childList: true, characterData: true, subtree: true, attributes: true })
}

function keyOfShowing(element: Element, text: string): string {
  const before = showings.get(element)
  if (!before) watch(element)
  const isAnother = before !== undefined && (before.isGone || before.text !== text)
  const times = (before?.times ?? 0) + (isAnother ? 1 : 0)
  showings.set(element, { text, times, isGone: false })
  return `${keyOf(element)}.${times}`
}

/** Returns the innermost elements whose own text reports a failure: messages without markup for it. */
function plainMessages(container: Element): Element[] {
  return deepAll(
    container,
    'p, div, span, li, td, strong, b, small, label, font, em, h1, h2, h3, h4, dd',
  ).filter((element) => {
    const text = textOf(element)
    const hasOwnText = Array.from(element.childNodes).some(
      (node) => node instanceof Text && node.data.trim() !== '',
    )
    return hasOwnText && text.length <= messageMaximum && /REFUSED|LOCKED|TAKEN/.test(messageKind(text))
  })
}

/** Reads the visible messages. */
export function shownMessages(forms: readonly ShownForm[]): MessageFact[] {
  const containers = forms.map(({ container }) => container)
  const isInForm = (element: Element) =>
    containers.some((container) => containsDeep(container, element) || element.contains(container))
  const found = new Map<Element, MessageFact>()
  const add = (element: Element, place: MessageFact['place'], isKnownOnly: boolean) => {
    if (found.has(element) || found.size >= messagesMaximum || isOwn(element) || !isVisible(element)) return
    const text = textOf(element)
    if (text.length > messageMaximum || (text === '' && !element.matches('[aria-invalid="true"]'))) return
    const kind = messageKind(text)
    if (isKnownOnly && kind === 'UNKNOWN') return
    found.set(element, { key: keyOfShowing(element, text), kind, place: isInForm(element) ? 'FORM' : place })
  }
  for (const element of deepAll(document, alerts)) add(element, 'TOAST', false)
  for (const element of deepAll(document, marked)) add(element, 'PAGE', !isInForm(element))
  for (const container of containers)
    for (const element of plainMessages(container)) add(element, 'FORM', true)
  const { body } = document
  if (forms.length === 0 && body && body.innerText.length <= shortPage) add(body, 'PAGE', true)
  return [...found.values()]
}
