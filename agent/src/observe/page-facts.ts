import type { MfaMethod } from '../logins/login-messages.ts'
import type { FieldReading } from './page-reading.ts'
import { asksForPerson, confirmsAddress, secondStepOf } from './page-words.ts'
import { codeLabel, codeState } from './readers/code-fields.ts'
import type { FormPurpose } from './readers/form-purpose.ts'
import { shownMessages } from './readers/page-messages.ts'
import { readPageText } from './readers/page-text.ts'
import { shownForms } from './readers/shown-forms.ts'
import { showsIdentity } from './readers/shown-identity.ts'
import { signedInMarks } from './readers/signed-in.ts'

/**
 * Facts about a document that serve to judge a login attempt. They do not depend on an attempt and never decide one:
 * compare the facts at submission (`readPageFacts()`) with those of the settled page.
 */
export interface PageFacts {
  /** Forms with a usable field for a password, an identity or a code, in page order. */
  readonly forms: readonly FormFacts[]
  /** One-time code that the page asks for; null if it asks for none. */
  readonly code: CodeFacts | null
  /** Second step that the page asks for, also without a field (push, number matching, security key). */
  readonly secondStep: MfaMethod | 'UNKNOWN' | null
  /** True if the code or link confirms an address at sign-up, which is not a second factor. */
  readonly confirmsAddress: boolean
  /** True if the page shows only a challenge, such as a CAPTCHA. */
  readonly asksForPerson: boolean
  /** Visible messages: errors, alerts, toasts. */
  readonly messages: readonly MessageFact[]
  /** Sign-out control; `HIDDEN` inside a closed menu. */
  readonly signOut: 'SHOWN' | 'HIDDEN' | null
  /** True if there is an account or profile menu of a signed-in user. */
  readonly accountMenu: boolean
  /** True if the text contains the given identity; null if none was given. */
  readonly showsIdentity: boolean | null
  /** Length of the visible text, at most 4,000: a short page without a form shows only its message. */
  readonly textLength: number
}

/** Identification of a form. */
export interface FormIdentity {
  /** Unique to this element of this document. */
  readonly key: string
  /** Names and kinds of its fields: equal for a form that was redrawn or returned in another document. */
  readonly signature: string
}

/** Form, or group of fields without a form element. */
export interface FormFacts extends FormIdentity {
  readonly purpose: FormPurpose
  /** Number of usable fields for the current password. */
  readonly currentPasswords: number
  /** Number of usable fields for a new password. */
  readonly newPasswords: number
  /** True if a field asks for an e-mail address or user name. */
  readonly hasIdentityField: boolean
  /** Identity entered in the form; null if there is none. */
  readonly identity: string | null
  /** True if the form also has a field for a one-time code. */
  readonly hasCodeField: boolean
}

/** One-time code that a page asks for. */
export interface CodeFacts {
  readonly state: CodeState
  /** True if the form also asks for the password. The code may then be optional. */
  readonly isBesidePassword: boolean
}

/** `ENTERED` once the field, or each box of a row, is filled. */
export type CodeState = 'EMPTY' | 'PARTIAL' | 'ENTERED'

/** Meaning of a message. `UNKNOWN`: marked as an alert, but without known words. */
export type MessageKind = 'REFUSED' | 'LOCKED' | 'TAKEN' | 'PASSWORD_RULE' | 'UNKNOWN'

/** Visible message. */
export interface MessageFact {
  /**
   * Equal for the same appearance of the same message. A key that did not exist at the attempt is a new message, also
   * if the page shows the same text again after removing it.
   */
  readonly key: string
  readonly kind: MessageKind
  /** `FORM`: in or next to a form of `forms`. `TOAST`: alert or live region elsewhere. `PAGE`: other text. */
  readonly place: 'FORM' | 'TOAST' | 'PAGE'
}

/**
 * Reads the document. Walks the whole page: call it when the page has settled, not on each change.
 *
 * @param identity hash of the lower-case identity that signs in; null if unknown
 */
export function readPageFacts(reading: FieldReading, identity: string | null = null): PageFacts {
  const text = readPageText()
  const marks = signedInMarks()
  const forms = shownForms(reading, { isSignedIn: marks.signOut !== null || marks.accountMenu, text })
  const code = codeState(forms)
  const asksPassword = forms.some(({ facts }) => facts.currentPasswords > 0)
  return {
    forms: forms.map(({ facts }) => facts),
    code,
    // "Verify with your password" is the first step.
    secondStep:
      code === null && asksPassword
        ? null
        : secondStepOf(text.prose, code !== null, text.controls, codeLabel(forms)),
    confirmsAddress: confirmsAddress(text.prose),
    asksForPerson: asksForPerson(text.prose),
    messages: shownMessages(forms),
    ...marks,
    showsIdentity: identity === null ? null : showsIdentity(`${text.prose} ${text.controls}`, identity),
    textLength: text.prose.length,
  }
}
