import { isSeen } from '../deep-dom.ts'
import type { FieldFacts } from '../field-kind.ts'
import { isSecretField } from '../secret-fields.ts'
import { spellOut } from '../spell-out.ts'
import { plainText } from '../words/word-list.ts'

const wordsMaximum = 300
const aroundMaximum = 400
const beforeMaximum = 40
const overMaximum = 100

/** Returns the parent of an element, also out of a shadow root. */
export function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

/** Returns the form of a field, also across shadow roots. */
export function formOf(field: HTMLInputElement): HTMLFormElement | null {
  if (field.form) return field.form
  let root = field.getRootNode()
  while (root instanceof ShadowRoot) {
    const form = root.host.closest('form')
    if (form) return form
    root = root.host.getRootNode()
  }
  return null
}

const controls = 'input, select, button, textarea, a'

const holdsNoLabel = (element: Element) =>
  element.matches(`${controls}, h1, h2, [role="alert"], [class*="error" i]`) ||
  element.querySelector(controls) !== null

/** Returns the text right before a field without a label, as in a table or a list of lines. */
function textBefore(field: Element): string {
  let element: Element | null = field
  for (let level = 0; element && level < 4 && !element.matches('form, body, fieldset'); level++) {
    for (let node = element.previousSibling; node; node = node.previousSibling) {
      if (node instanceof Element && holdsNoLabel(node)) return ''
      const text = node.nodeType === Node.COMMENT_NODE ? '' : (node.textContent ?? '').trim()
      if (text !== '') return text.length <= beforeMaximum && !/[.!?。]$/.test(text) ? text : ''
    }
    element = parentOf(element)
  }
  return ''
}

/** Returns the text drawn over a field, if both are alone in an element. */
function textOver(field: Element): string {
  const around = parentOf(field)
  const text = around?.querySelectorAll(controls).length === 1 ? (around.textContent ?? '').trim() : ''
  return text.length <= overMaximum ? text : ''
}

function referredText(field: Element, attribute: string): string {
  const root = field.getRootNode()
  const ids = field.getAttribute(attribute)?.split(/\s+/) ?? []
  return root instanceof Document || root instanceof ShadowRoot
    ? ids.map((id) => root.getElementById(id)?.textContent ?? '').join(' ')
    : ''
}

/** Returns the label of a field, or of its shadow host if it has none itself. */
function labelOf(field: HTMLInputElement): string {
  const own = [
    ...Array.from(field.labels ?? [], ({ textContent }) => textContent ?? ''),
    referredText(field, 'aria-labelledby'),
    ...['aria-label', 'placeholder', 'title', 'data-placeholder'].map(
      (name) => field.getAttribute(name) ?? '',
    ),
  ].join(' ')
  if (own.trim() !== '') return own
  const root = field.getRootNode()
  const host = root instanceof ShadowRoot ? root.host : null
  const outer = ['label', 'aria-label', 'placeholder'].map((name) => host?.getAttribute(name) ?? '').join(' ')
  return outer.trim() === '' ? textBefore(field) || textOver(field) : outer
}

function namesOf(field: HTMLInputElement): string {
  const own = ['name', 'id', 'data-testid', 'ng-model', 'formcontrolname'].map(
    (name) => field.getAttribute(name) ?? '',
  )
  const root = field.getRootNode()
  const host = root instanceof ShadowRoot ? root.host : null
  const outer = ['name', 'id'].map((name) => host?.getAttribute(name) ?? '')
  const names = [...own, ...outer].join(' ')
  return `${plainText(names)} ${spellOut(names)}`
}

function wordsAround(field: Element): string {
  let words = ''
  for (let part = parentOf(field); part; part = parentOf(part)) {
    const text = part instanceof HTMLElement ? part.innerText : ''
    if (text.length > aroundMaximum) break
    if (text !== '') words = text
  }
  return plainText(words)
}

const digitPattern = /^\^?(?:\\d|\[0-9\]|\[\\d\])[\d{},*+]*\$?$/

/** Returns true if a picture wider than an icon is within the same line or two. */
function hasPicture(field: Element): boolean {
  const line = parentOf(parentOf(field) ?? field)
  return Array.from(line?.querySelectorAll('img, canvas') ?? []).some(
    (picture) => picture.getBoundingClientRect().width >= 50,
  )
}

const textTypes = /^(?:text|password|email|tel|number|search|url)$/

/** Returns true if the style of a field draws dots in place of its text. */
const isMasked = (field: Element) =>
  !/^(?:none)?$/.test(getComputedStyle(field).getPropertyValue('-webkit-text-security'))

const noText = (type: string): FieldFacts => ({
  type,
  autocomplete: '',
  names: '',
  label: '',
  isMasked: false,
  isNumeric: false,
  maxLength: -1,
  isVisible: false,
  hasPicture: false,
  around: '',
})

/** Reads the facts about a field. */
export function readField(field: HTMLInputElement): FieldFacts {
  if (!textTypes.test(field.type))
    return { ...noText(field.type), isVisible: field.type !== 'hidden' && isSeen(field) }
  const attribute = (name: string) => (field.getAttribute(name) ?? '').toLowerCase()
  const type = isSecretField(field) ? 'password' : field.type.toLowerCase()
  return {
    type,
    autocomplete: attribute('autocomplete'),
    names: namesOf(field).slice(0, wordsMaximum),
    label: plainText(labelOf(field).slice(0, wordsMaximum)),
    isMasked: type !== 'password' && isMasked(field),
    isNumeric:
      type === 'tel' ||
      type === 'number' ||
      /^(?:numeric|decimal|tel)$/.test(attribute('inputmode')) ||
      digitPattern.test(attribute('pattern')),
    maxLength: field.maxLength === -1 && attribute('size') === '1' ? 1 : field.maxLength,
    isVisible: isSeen(field),
    get hasPicture() {
      return hasPicture(field)
    },
    get around() {
      return wordsAround(field)
    },
  }
}
