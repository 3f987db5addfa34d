import type { PageState } from '../logins/login-messages.ts'
import { deepAll, isVisible } from './deep-dom.ts'
import { spellOut } from './field-kind.ts'
import { type PageField, pageFields } from './page-fields.ts'
import { asksForCode, refusesPassword, saysFailure, secondStepOf } from './page-words.ts'

/** What the document itself knows of the attempt that was made in it. */
export interface SinceAttempt {
  readonly isSameDocument: boolean
  readonly requests: number
  readonly requestStatus: number
}

const textMaximum = 4_000
const alertSelector =
  '[role="alert"], [aria-live="assertive"], [aria-invalid="true"], [class*="error" i], [class*="alert" i], [class*="invalid" i], [class*="danger" i], [id*="error" i]'
const alertMaximum = 400
const codeLengthMinimum = 4

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** What can be read on the page, lower-case; so much of it as pages of sign-ins have. */
export const readableText = (): string => tidy((document.body?.innerText ?? '').slice(0, textMaximum))

function showsFailure(): boolean {
  const alerts = deepAll(document, alertSelector).filter(isVisible)
  return alerts.some((element) => {
    const text = tidy(element.textContent ?? '')
    return text.length > 0 && text.length <= alertMaximum && (saysFailure(text) || refusesPassword(text))
  })
}

/** A short page that is nothing but the message. */
const shortPage = 600

function typedCode(fields: readonly PageField[]): boolean {
  const length = fields.reduce((sum, { element }) => sum + element.value.length, 0)
  return length >= codeLengthMinimum
}

/** Words that are about a field stand around it. */
const aroundMaximum = 400

function wordsAround(element: Element): string {
  let words = ''
  for (let part = element.parentElement; part; part = part.parentElement) {
    const text = tidy(part.innerText)
    if (text.length > aroundMaximum) break
    words = text
  }
  return words
}

function isSearch(element: HTMLInputElement): boolean {
  const names = ['name', 'id', 'placeholder', 'aria-label'].map((name) => element.getAttribute(name) ?? '')
  return element.type === 'search' || /\b(?:search|filter|suche)\b/.test(spellOut(names.join(' ')))
}

/** The only field of a page may be for a code though it is not called so: the words around it say it. */
function isCodeAlone(fields: readonly PageField[]): boolean {
  const [only, ...others] = fields
  if (!only || others.length > 0 || isSearch(only.element)) return false
  return asksForCode(wordsAround(only.element))
}

/** How the page looks now. */
export function pageState(since: SinceAttempt): PageState {
  const fields = pageFields().filter((field) => field.isVisible)
  const text = readableText()
  const passwordField = fields.some(({ kind }) => kind === 'PASSWORD')
  const codes = fields.filter(({ kind }) => kind === 'CODE')
  const codeField = codes.length > 0 || (!passwordField && isCodeAlone(fields))
  const filled = codes.length > 0 ? codes : fields
  return {
    passwordField,
    newPasswordField: fields.some(({ kind }) => kind === 'NEW_PASSWORD'),
    identityField: !passwordField && asksOnlyWho(fields, text),
    codeField,
    codeEntered: codeField && typedCode(filled),
    secondStep: passwordField ? null : secondStepOf(text, codeField),
    error: showsFailure() || (text.length <= shortPage && saysFailure(text)),
    documentMs: performance.timeOrigin,
    ...since,
  }
}

/** The first step of a login: the page says so, and asks nothing but who somebody is. */
function asksOnlyWho(fields: readonly PageField[], text: string): boolean {
  const texts = fields.filter(
    ({ element }) => !['checkbox', 'radio', 'submit', 'button'].includes(element.type),
  )
  const [only] = texts
  return (
    texts.length === 1 &&
    only?.kind === 'IDENTITY' &&
    /\b(?:sign|log)[ -]?in\b|anmelden|connexion|iniciar sesión|accedi/.test(text)
  )
}
