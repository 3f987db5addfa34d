import { deepAll } from './deep-dom.ts'
import { type FieldFacts, type FieldKind, fieldKinds } from './field-kind.ts'
import { isIdentity, isNameOfWords } from './identity-text.ts'
import type { CodeState, FormIdentity } from './page-facts.ts'
import { codeIn } from './readers/code-fields.ts'
import { formIdentity } from './readers/form-identity.ts'
import { formOf, readField } from './readers/read-field.ts'
import { signsIn } from './readers/sign-in-button.ts'
import { isSecretText } from './secret-fields.ts'

/** Field of the page and its kind. */
export interface PageField {
  readonly element: HTMLInputElement
  readonly kind: FieldKind
  readonly isVisible: boolean
  /** Form that contains it, also across shadow roots; null for none. */
  readonly form: HTMLFormElement | null
}

/** Returns the fields of the frame, including those in shadow roots, in page order. */
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

/** Contents of a submitted form. */
export interface Credentials {
  /** Null if the form contains none; an earlier page may. */
  readonly identity: string | null
  readonly passwordField: HTMLInputElement
  /** True if the password is being set, as at sign-up. */
  readonly isNewPassword: boolean
  /** Identification of the submitted form, to recognize it when it returns. */
  readonly form: FormIdentity
  /** State of the one-time code submitted with the password; null if the form asks for none. */
  readonly code: CodeState | null
}

const filled = ({ element }: PageField) => element.value !== ''

/**
 * Returns the fields that are submitted together: those of the form. If the form asks for no password, fields outside
 * any form are included, as with shadow roots. Without a known form or field, all fields count.
 */
export function submittedFields(
  fields: readonly PageField[],
  of: HTMLInputElement | null,
  form: HTMLFormElement | null,
): readonly PageField[] {
  const own = form ?? fields.find(({ element }) => element === of)?.form ?? null
  const inForm = fields.filter(({ form: around }) => around === own)
  if (inForm.some(({ kind }) => kind === 'PASSWORD' || kind === 'NEW_PASSWORD')) return inForm
  return form || of ? fields.filter(({ form: around }) => around === own || around === null) : fields
}

/**
 * Returns the submitted password. A new password counts only if it is repeated and replaces no other, as at sign-up.
 */
function usedPassword(fields: readonly PageField[]): PageField | undefined {
  const seen = fields.filter((field) => field.isVisible && filled(field))
  const present = seen.filter(({ kind }) => kind === 'PASSWORD')
  const chosen = seen.filter(({ kind }) => kind === 'NEW_PASSWORD')
  const values = new Set([...present, ...chosen].map(({ element }) => element.value))
  return values.size === 1 ? (present[0] ?? chosen[0]) : undefined
}

/**
 * Returns the submitted identity, in this order: the last visible identity field before the password, any visible one,
 * one before the password that is hidden, a hidden input, the text field right before the password. The value of a
 * password field is never an identity.
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
  // Several words are an identity only next to a password; elsewhere they are a name or a search.
  const mayBeWords = password !== undefined && field?.kind === 'IDENTITY'
  const isValidIdentity = isIdentity(value) || (mayBeWords && isNameOfWords(value))
  return isValidIdentity && !isSecretText(value) ? value : null
}

/** Returns the identity entered in these fields; null if there is none. */
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
 * Returns the credentials of a form.
 *
 * @param of field in which Enter was pressed, or null
 * @param form submitted form, or null
 * @returns undefined if no password is filled in
 */
export function credentialsIn(
  of: HTMLInputElement | null,
  form: HTMLFormElement | null,
): Credentials | undefined {
  const fields = submittedFields(pageFields(), of, form)
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

/** Returns the identity entered on a page that does not ask for a password yet; null if there is none. */
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
