import { stepWordsOf } from './step-texts.ts'
import type { Variant } from './variant-dimensions.ts'
import { wordsOf } from './variant-texts.ts'

/** Role of an element for the lab's person; not visible to the agent. */
type Role = 'user' | 'password' | 'code' | 'go' | 'next' | 'eye'

/** Input with its label. */
export interface FieldMarkup {
  readonly role: string
  readonly type: string
  readonly label: string
  /** Values of `name` and `id` for telling names. */
  readonly name: string
  readonly autocomplete?: string
  /** Further attributes. */
  readonly more?: string
}

/** Escapes a text for HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Returns a meaningless name, always the same for a role. */
const randomName = (role: string): string => {
  let hash = 2_166_136_261
  for (const sign of role) hash = Math.imul(hash ^ sign.charCodeAt(0), 16_777_619) >>> 0
  return `f${hash.toString(36)}`
}

/** Returns the name with which the form submits a field. */
export const inputName = ({ naming }: Variant, { role, name }: Pick<FieldMarkup, 'role' | 'name'>): string =>
  naming === 'telling' ? name : randomName(role)

/** Returns an input with its label, in the variant's style. */
export function fieldHtml(variant: Variant, field: FieldMarkup): string {
  const { label, autocomplete, naming } = variant
  const name = inputName(variant, field)
  const named = naming === 'none' ? '' : ` name="${name}" id="${name}"`
  const completed =
    autocomplete === 'none'
      ? ''
      : ` autocomplete="${autocomplete === 'off' ? 'off' : (field.autocomplete ?? 'off')}"`
  const text = escaped(field.label)
  const input = (more = '') =>
    `<input type="${field.type}"${named}${completed} data-q="${field.role}" ${field.more ?? ''}${more}>`
  const caption = `c${randomName(field.role)}`
  switch (label) {
    case 'for':
      // Without an ID, `for` has no target.
      return naming === 'none'
        ? `<p><label>${text} ${input()}</label></p>`
        : `<p><label for="${name}">${text}</label> ${input()}</p>`
    case 'wrapped':
      return `<p><label><span>${text}</span> ${input()}</label></p>`
    case 'preceding':
      return `<div><div>${text}</div><div>${input()}</div></div>`
    case 'labelledby':
      return `<div><span id="${caption}">${text}</span>${input(` aria-labelledby="${caption}"`)}</div>`
    case 'aria-label':
      return `<p>${input(` aria-label="${text}"`)}</p>`
    case 'placeholder':
      return `<p>${input(` placeholder="${text}"`)}</p>`
    case 'floating':
      return `<div class="floating">${input(' placeholder=" "')}<span>${text}</span></div>`
  }
}

const icon =
  '<svg width="16" height="16" viewBox="0 0 16 16"><path d="M2 8h10M8 4l4 4-4 4" stroke="#fff" fill="none"/></svg>'

/** Returns the control that submits a form. */
export function buttonHtml(
  { button }: Pick<Variant, 'button'>,
  text: string,
  role: Role = 'go',
  more = '',
): string {
  switch (button) {
    case 'button':
      return `<button data-q="${role}" ${more}>${escaped(text)}</button>`
    case 'input':
      return `<input type="submit" value="${escaped(text)}" data-q="${role}" ${more}>`
    case 'enter-only':
      return ''
    case 'div':
      return `<div class="button" tabindex="0" data-q="${role}">${escaped(text)}</div>`
    case 'anchor':
      return `<a href="#" class="button" data-q="${role}">${escaped(text)}</a>`
    case 'icon':
      return `<button class="icon" data-q="${role}" ${more}>${icon}</button>`
  }
}

export function userField(variant: Variant): FieldMarkup {
  const words = wordsOf(variant.language)
  const isMail = variant.who === 'mail'
  return {
    role: 'user',
    // Scripts cannot set the caret of an e-mail field, which redrawing a field needs.
    type: isMail && variant.naming === 'telling' && variant.secret !== 'rerendered' ? 'email' : 'text',
    label: isMail ? words.email : words.user,
    name: isMail ? 'email' : 'username',
    autocomplete: 'username',
  }
}

const secretType = ({ secret }: Variant): string =>
  secret === 'shown' || secret === 'css-masked' ? 'text' : 'password'

export function passwordField(variant: Variant): FieldMarkup {
  const more = {
    masked: '',
    shown: 'spellcheck="false"',
    'css-masked': 'style="-webkit-text-security: disc" spellcheck="false"',
    replaced: '',
    readonly: 'readonly',
    rerendered: '',
  }[variant.secret]
  return {
    role: 'password',
    type: secretType(variant),
    label: wordsOf(variant.language).password,
    name: 'password',
    autocomplete: 'current-password',
    more,
  }
}

const codeField = (variant: Variant): FieldMarkup => ({
  role: 'code',
  type: 'text',
  label: `${stepWordsOf(variant.language).title}: ${stepWordsOf(variant.language).totp}`,
  name: 'otp',
  autocomplete: 'one-time-code',
  more: 'inputmode="numeric" maxlength="6"',
})

/** Returns the address to which the form is submitted as a document. */
export const actionOf = ({ refusal, structure }: Variant): string =>
  refusal === 'page-302' ? '/session' : structure === 'page-steps' ? '/login/password' : '/login'

/** Returns the form of a step: fields and submit control. */
function around(
  variant: Variant,
  fields: string,
  text: string,
  role: Role = 'go',
  action = actionOf(variant),
): string {
  if (variant.structure === 'no-form')
    return `<div>${fields}${buttonHtml(variant, text, role, 'type="button"')}</div>`
  const outside = variant.structure === 'outside-button'
  const button = buttonHtml(variant, text, role, outside ? 'form="f1"' : '')
  return `<form id="f1" method="post" action="${action}" novalidate>${fields}${outside ? '' : button}</form>${outside ? button : ''}`
}

/** Returns the form that asks only for the identity. */
export const userFormHtml = (variant: Variant): string =>
  around(variant, fieldHtml(variant, userField(variant)), wordsOf(variant.language).next, 'next', '/login')

/** Returns the form with the password, and with the user name unless that is a separate step. */
export function loginFormHtml(variant: Variant, knownUser?: string): string {
  const words = wordsOf(variant.language)
  const { secret } = variant
  const eye =
    secret === 'shown' || secret === 'replaced' || secret === 'css-masked'
      ? `<button type="button" data-q="eye">${words.show}</button>`
      : ''
  const fields = [
    knownUser === undefined ? fieldHtml(variant, userField(variant)) : `<p>${escaped(knownUser)}</p>`,
    fieldHtml(variant, passwordField(variant)),
    eye,
    variant.step === 'totp-same-form' ? fieldHtml(variant, codeField(variant)) : '',
  ]
  return around(variant, fields.join('\n'), words.signIn)
}

/** Returns a sign-up form next to the login. */
export function sideFormHtml(variant: Variant): string {
  const words = wordsOf(variant.language)
  const plain = { ...variant, button: 'button', structure: 'form' } as const
  return `<form method="post" action="/join">
${fieldHtml(plain, { role: 'new-user', type: 'email', label: words.email, name: 'new_email', autocomplete: 'email' })}
${fieldHtml(plain, { role: 'new-password', type: 'password', label: words.newPassword, name: 'new_password', autocomplete: 'new-password' })}
<button>${words.signUp}</button></form>`
}
