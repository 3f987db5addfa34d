import { deepAll } from './deep-dom.ts'
import { type FieldFacts, type FieldKind, fieldKinds } from './field-kind.ts'
import { isIdentity, isNameOfWords } from './identity-text.ts'
import type { CodeState, FormIdentity } from './page-facts.ts'
import { codeIn } from './readers/code-fields.ts'
import { formIdentity } from './readers/form-identity.ts'
import { formOf, readField } from './readers/read-field.ts'
import { signsIn } from './readers/sign-in-button.ts'
import { isSecretText } from './secret-fields.ts'

/** A field of the page with what it is for. */
export interface PageField {
  readonly element: HTMLInputElement
  readonly kind: FieldKind
  readonly isVisible: boolean
  /** Form that it is in, also around the shadow root that it is in; null for none. */
  readonly form: HTMLFormElement | null
}

/** The fields of the frame, those in shadow roots too, in the order of the page. */
export function pageFields(root: ParentNode & Node = document): PageField[] {
  const inputs = deepAll(root, 'input').filter((element) => element instanceof HTMLInputElement)
  const forms = new Map(inputs.map((element) => [element, formOf(element)]))
  const kinds = new Map<HTMLInputElement, FieldKind>()
  const facts = new Map<HTMLInputElement, FieldFacts>()
  for (const [form, group] of Map.groupBy(inputs, (element) => forms.get(element) ?? null)) {
    const read = group.map(readField)
    const found = fieldKinds(read, () => signsIn(form))
    group.forEach((element, index) => {
      kinds.set(element, found[index] ?? 'OTHER')
      const one = read[index]
      if (one) facts.set(element, one)
    })
  }
  return inputs.map((element) => ({
    element,
    kind: kinds.get(element) ?? 'OTHER',
    isVisible: facts.get(element)?.isVisible ?? false,
    form: forms.get(element) ?? null,
  }))
}

/** What a form holds when it is handed in. */
export interface Credentials {
  /** Null if the form does not say; an earlier page may have. */
  readonly identity: string | null
  readonly passwordField: HTMLInputElement
  /** Whether the password is being set, as where somebody signs up. */
  readonly isNewPassword: boolean
  /** Form that is handed in, to recognize it when it comes back. */
  readonly form: FormIdentity
  /** One-time code that is handed in with the password; null if the form asks for none. */
  readonly code: CodeState | null
}

const filled = ({ element }: PageField) => element.value !== ''

/**
 * The fields that are handed in together: those of the form. If it asks for no password, those that are in none come with
 * them, as in shadow roots; a password in another form is none of its. Where neither form nor field is known, all may.
 */
export function handedInWith(
  fields: readonly PageField[],
  of: HTMLInputElement | null,
  form: HTMLFormElement | null,
): readonly PageField[] {
  const own = form ?? fields.find(({ element }) => element === of)?.form ?? null
  const inForm = fields.filter(({ form: around }) => around === own)
  if (inForm.some(({ kind }) => kind === 'PASSWORD' || kind === 'NEW_PASSWORD')) return inForm
  return form || of ? fields.filter(({ form: around }) => around === own || around === null) : fields
}

/** A password that is being set counts if it is said twice, as where somebody signs up, and nothing is replaced. */
function usedPassword(fields: readonly PageField[]): PageField | undefined {
  const seen = fields.filter((field) => field.isVisible && filled(field))
  const present = seen.filter(({ kind }) => kind === 'PASSWORD')
  const chosen = seen.filter(({ kind }) => kind === 'NEW_PASSWORD')
  const values = new Set([...present, ...chosen].map(({ element }) => element.value))
  return values.size === 1 ? (present[0] ?? chosen[0]) : undefined
}

/**
 * Who signs in: of the fields that ask for that, the last one before the password; else any, also one that
 * the page carries along unseen; else the text field just before the password. Whatever a page calls its fields, nobody
 * is what a field hides.
 */
function identityIn(fields: readonly PageField[], password: PageField | undefined): string | null {
  const end = password ? fields.indexOf(password) : fields.length
  const asks = (field: PageField) => field.kind === 'IDENTITY' && filled(field)
  const before = fields.slice(0, end)
  const field =
    before.findLast((one) => one.isVisible && asks(one)) ??
    fields.find((one) => one.isVisible && asks(one)) ??
    before.findLast(asks) ??
    fields.find(hiddenIdentity) ??
    (password && before.findLast((one) => one.isVisible && isPlainText(one) && filled(one)))
  const value = field?.element.value.trim() ?? ''
  // Elsewhere several words are a name or a search, and nobody signs in by them.
  const mayBeWords = password !== undefined && field?.kind === 'IDENTITY'
  const isSomebody = isIdentity(value) || (mayBeWords && isNameOfWords(value))
  return isSomebody && !isSecretText(value) ? value : null
}

/** Returns the identity that is in these fields now; null if there is none. */
export function identityNow(fields: readonly PageField[]): string | null {
  return identityIn(
    fields,
    fields.find(({ kind }) => kind === 'PASSWORD' || kind === 'NEW_PASSWORD'),
  )
}

const isPlainText = ({ element, kind }: PageField) => kind === 'OTHER' && element.type === 'text'

const hiddenIdentity = ({ element, kind }: PageField) =>
  kind === 'OTHER' &&
  element.type === 'hidden' &&
  /^(?:e-?mail|user(?:name)?|login|identifier)$/i.test(element.name) &&
  element.value.includes('@')

/**
 * The credentials that are in a form.
 *
 * @param of the field that Enter was pressed in, or null
 * @param form the form that is handed in, or null
 * @returns undefined if no password is filled in
 */
export function credentialsIn(
  of: HTMLInputElement | null,
  form: HTMLFormElement | null,
): Credentials | undefined {
  const fields = handedInWith(pageFields(), of, form)
  const password = usedPassword(fields)
  if (!password) return undefined
  const { element, kind } = password
  return {
    identity: identityIn(fields, password),
    passwordField: element,
    isNewPassword: kind === 'NEW_PASSWORD',
    form: formIdentity(fields),
    code: codeIn(fields),
  }
}

/** Who the page was told that somebody is, where it asks for no password yet; null if nobody. */
export function identityOnPage(): string | null {
  const fields = pageFields()
  const asksPassword = fields.some((field) => field.kind === 'PASSWORD' && field.isVisible)
  return asksPassword
    ? null
    : identityIn(
        fields.filter((field) => field.isVisible),
        undefined,
      )
}
