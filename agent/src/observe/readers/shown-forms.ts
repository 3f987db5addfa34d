import { containsDeep, deepAll, isUsable, isVisible } from '../deep-dom.ts'
import type { FormFacts } from '../page-facts.ts'
import type { PageField } from '../page-fields.ts'
import type { FieldReading } from '../page-reading.ts'
import { spellOut } from '../spell-out.ts'
import { saysRole, saysServer } from '../words/form-words.ts'
import { plainText } from '../words/word-list.ts'
import { type FormOutline, formPurpose } from './form-purpose.ts'
import type { PageText } from './page-text.ts'
import { parentOf, readField } from './read-field.ts'

/** Form with its fields, for readers of the document. */
export interface ShownForm {
  readonly facts: FormFacts
  readonly fields: readonly PageField[]
  /** Smallest element around the form with the text that belongs to it. */
  readonly container: Element
}

/** Facts about the page around its forms. */
export interface PageContext {
  readonly isSignedIn: boolean
  readonly text: PageText
}

const containerTextMaximum = 800
const wordsMaximum = 200
const headings = 'h1, h2, h3, h4, legend, [role="heading"]'
const submits = 'button, input[type="submit"], input[type="button"], input[type="image"], [role="button"]'

/** Returns the smallest element around all fields of a form. */
function aroundFields(fields: readonly PageField[]): Element {
  const [first, ...others] = fields.map(({ element }) => element)
  let around: Element = fields[0]?.form ?? first ?? document.documentElement
  const holds = (element: Element) => containsDeep(around, element)
  while (!others.every(holds)) {
    const outer = parentOf(around)
    if (!outer) break
    around = outer
  }
  return around
}

const textLength = (element: Element) => (element instanceof HTMLElement ? element.innerText.length : 0)

/** Returns the largest element around a form whose text is about the form. It includes at least the form's buttons. */
function containerOf(fields: readonly PageField[]): Element {
  let container = aroundFields(fields)
  for (let outer = parentOf(container); outer; outer = parentOf(outer)) {
    if (outer === document.body || outer === document.documentElement) break
    const hasButton = deepAll(container, submits).length > 0
    if (hasButton && textLength(outer) > containerTextMaximum) break
    container = outer
  }
  return container
}

function textOf(elements: readonly Element[]): string {
  const texts = elements.filter(isVisible).map((element) => {
    const value = element instanceof HTMLInputElement ? element.value : ''
    return [value, element.textContent ?? '', element.getAttribute('aria-label') ?? ''].join(' ')
  })
  return plainText(texts.join(' ').slice(0, wordsMaximum))
}

/** Returns the texts of selections, checkboxes and radio buttons. */
function choicesIn(container: Element): string[] {
  const choices = deepAll(
    container,
    'select, [role="combobox"], [role="listbox"], input[type="checkbox"], input[type="radio"]',
  )
  return choices.map((element) => {
    const labels =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null
    const label = Array.from(labels ?? [], ({ textContent }) => textContent ?? '').join(' ')
    const names = ['name', 'id', 'aria-label'].map((name) => element.getAttribute(name) ?? '').join(' ')
    return `${plainText(label)} ${spellOut(names)}`
  })
}

function outlineOf(
  fields: readonly PageField[],
  container: Element,
  { isSignedIn }: PageContext,
): FormOutline {
  const countOf = (kind: PageField['kind']) => fields.filter((field) => field.kind === kind).length
  const others = fields.filter(
    ({ kind, element }) => kind === 'OTHER' && !/^(?:checkbox|radio|submit|button|image)$/.test(element.type),
  )
  const choices = choicesIn(container)
  return {
    currentPasswords: countOf('PASSWORD'),
    newPasswords: countOf('NEW_PASSWORD'),
    identityFields: countOf('IDENTITY'),
    codeFields: countOf('CODE'),
    otherFields: others.length,
    serverFields: others.filter(({ element }) => {
      const { label, names } = readField(element)
      return saysServer(label) || saysServer(names)
    }).length,
    roleFields: choices.filter(saysRole).length,
    isPrefilled: fields.some(({ kind, element }) => kind === 'IDENTITY' && element.defaultValue !== ''),
    buttons: textOf(deepAll(container, submits)),
    title: textOf(deepAll(container, headings)),
    pageTitle: plainText(document.title.slice(0, wordsMaximum)),
    path: spellOut(location.pathname.replaceAll('/', ' ')),
    isSignedIn,
  }
}

/** Reads the forms that ask for a password, an identity or a code. */
export function shownForms(
  { pageFields, identityNow, formIdentity }: FieldReading,
  around: PageContext,
): ShownForm[] {
  const usable = pageFields().filter(
    ({ element, kind, isVisible }) => isVisible && (kind === 'CODE' || isUsable(element)),
  )
  const groups = [...Map.groupBy(usable, ({ form }) => form).values()]
  return groups.flatMap((fields) => {
    if (fields.every(({ kind }) => kind === 'OTHER')) return []
    const container = containerOf(fields)
    const outline = outlineOf(fields, container, around)
    const purpose = formPurpose(outline)
    if (purpose === 'OTHER') return []
    const isMislabeled = purpose === 'SIGN_IN' && outline.currentPasswords === 0
    const facts: FormFacts = {
      ...formIdentity(fields),
      purpose,
      currentPasswords: isMislabeled ? outline.newPasswords : outline.currentPasswords,
      newPasswords: isMislabeled ? 0 : outline.newPasswords,
      hasIdentityField: outline.identityFields > 0,
      identity: identityNow(fields),
      hasCodeField: outline.codeFields > 0,
    }
    return [{ facts, fields, container }]
  })
}
