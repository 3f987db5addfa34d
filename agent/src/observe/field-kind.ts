/** What is known of a field without reading it. */
export interface FieldFacts {
  /** Its `type`, lower-case; `textarea` and `editable` for what is no `input`. */
  readonly type: string
  readonly autocomplete: string
  /** `name`, `id`, `placeholder`, `aria-label`, label: lower-case, separated by spaces. */
  readonly words: string
  readonly inputMode: string
  /** -1 for none. */
  readonly maxLength: number
}

/** SHOWN_SECRET: named after a password, and readable; it is not known whether there is one in it. */
export type FieldKind = 'PASSWORD' | 'NEW_PASSWORD' | 'SHOWN_SECRET' | 'IDENTITY' | 'CODE' | 'OTHER'

const textTypes = new Set(['text', 'email', 'tel', 'number', 'search', 'url', ''])
const passwordWords =
  /pass(?:word|wd|phrase|code)?(?![a-z])|pwd|passwort|kennwort|mot de passe|contraseñ|senha|wachtwoord|hasło|пароль/
const codeWords =
  /\b(?:otp|totp|mfa|2fa|tfa|one[-_ ]?time|passcode|verification[-_ ]?code|verify[-_ ]?code|security[-_ ]?code|auth(?:entication)?[-_ ]?code|sms[-_ ]?code|otc|token[-_ ]?code|\d-digit)\b|bestätigungscode|sicherheitscode/
const otherCodeWords =
  /\b(?:zip|postal|post|promo|discount|coupon|voucher|gift|country|area|cvc|cvv|card|tax|referral|invite)\b/
const identityWords =
  /\be-?mail\b|\bmail\b|\buser(?:[-_ ]?(?:name|id))?\b|\blogin(?:[-_ ]?(?:name|id|fmt))?\b|\bidentifier\b|\baccount\b|\bbenutzer|\butilisateur|\busuario|\bgebruiker|\bлогин|loginfmt|username|userid|emailaddress/
const notIdentityWords =
  /\bsearch\b|\bsuche?\b|\bnewsletter\b|\bsubscribe\b|\bcomment\b|\binvite\b|\brecipient\b|\bfriend\b|\bfilter\b/

const isCode = ({ type, autocomplete, words, inputMode, maxLength }: FieldFacts) => {
  if (autocomplete.includes('one-time-code')) return true
  if (otherCodeWords.test(words)) return false
  if (codeWords.test(words)) return true
  const isShort = maxLength >= 4 && maxLength <= 8
  return (
    isShort &&
    (inputMode === 'numeric' || type === 'tel' || type === 'number') &&
    /\b(?:code|pin|token)\b/.test(words)
  )
}

/** What a field is for. Names decide only where the page does not say it by `type` or `autocomplete`. */
export function fieldKind(facts: FieldFacts): FieldKind {
  const { type, autocomplete, words } = facts
  if (type !== 'password' && !textTypes.has(type)) return 'OTHER'
  if (isCode(facts)) return 'CODE'
  if (type === 'password') {
    return autocomplete.includes('new-password') || /\b(?:new|confirm|repeat|retype|again)\b/.test(words)
      ? 'NEW_PASSWORD'
      : 'PASSWORD'
  }
  if (autocomplete.includes('current-password')) return 'PASSWORD'
  if (autocomplete.includes('new-password')) return 'NEW_PASSWORD'
  if (/\b(?:username|email|webauthn)\b/.test(autocomplete)) return 'IDENTITY'
  if (type === 'search' || notIdentityWords.test(words)) return 'OTHER'
  // `user[password]` names both. A field that is shown by its `type` would be `text`, never `email`.
  if (type !== 'email' && passwordWords.test(words)) return 'SHOWN_SECRET'
  return type === 'email' || identityWords.test(words) ? 'IDENTITY' : 'OTHER'
}

/** Whether a text can be who somebody is: an e-mail address or a user name. */
export const isIdentity = (text: string): boolean =>
  text.length >= 1 && text.length <= 254 && /^[^\s<>"'()[\]{},;\\]+$/u.test(text)

const address = /[a-z0-9._%+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}/gi

/** The one e-mail address in a text; null if there is none, or more than one. */
export function onlyAddressIn(text: string): string | null {
  const found = new Set(Array.from(text.matchAll(address), ([match]) => match.toLowerCase()))
  const [only] = found
  return found.size === 1 && only !== undefined && only.length <= 254 ? only : null
}
