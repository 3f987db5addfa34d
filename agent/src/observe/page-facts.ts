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
 * Facts that one document shows, for the judgment of a login attempt. Nothing here decides whether an attempt
 * succeeded: a fact is the same before, during and after an attempt. Compare the facts taken at the attempt
 * (`readPageFacts()` when the form is handed in) with those of the page at rest.
 */
export interface PageFacts {
  /** Forms with a field for a password, an identity or a code that a person can use now, in page order. */
  readonly forms: readonly FormFacts[]
  /** One-time code that the page asks for; null if it asks for none. */
  readonly code: CodeFacts | null
  /** Second step that the page asks for, also without a field (push, number matching, security key). */
  readonly secondStep: MfaMethod | 'UNKNOWN' | null
  /** True if the code or link confirms an address at a sign-up, which is no second factor. */
  readonly confirmsAddress: boolean
  /** True if the page does nothing but ask for a proof that a person is there. */
  readonly asksForPerson: boolean
  /** Messages that can be read now: errors, alerts, toasts. */
  readonly messages: readonly MessageFact[]
  /** Control that signs out; `HIDDEN` inside a closed menu. */
  readonly signOut: 'SHOWN' | 'HIDDEN' | null
  /** Account or profile menu of somebody who is signed in. */
  readonly accountMenu: boolean
  /** True if the text names the identity that was asked about; null if none was. */
  readonly showsIdentity: boolean | null
  /** Characters of visible text, at most 4,000: a short page without a form is nothing but its message. */
  readonly textLength: number
}

/** Identifies a form. */
export interface FormIdentity {
  /** Unique to this element of this document. */
  readonly key: string
  /** Names and kinds of its fields: equal for a form that was drawn again or came back in another document. */
  readonly signature: string
}

/** Form, or group of fields that belong together without one. */
export interface FormFacts extends FormIdentity {
  readonly purpose: FormPurpose
  /** Usable fields that ask for the present password. */
  readonly currentPasswords: number
  /** Usable fields that set a password. */
  readonly newPasswords: number
  /** True if a field asks for an e-mail address or user name. */
  readonly hasIdentityField: boolean
  /** Identity that is in the form now; null if there is none. */
  readonly identity: string | null
  /** True if the form also has a field for a one-time code. */
  readonly hasCodeField: boolean
}

/** One-time code that a page asks for. */
export interface CodeFacts {
  readonly state: CodeState
  /** True if the form asks for the password as well: then the code may be optional. */
  readonly isBesidePassword: boolean
}

/** `ENTERED` once the field, or each box of a row of boxes, is filled. */
export type CodeState = 'EMPTY' | 'PARTIAL' | 'ENTERED'

/** What a message is about. `UNKNOWN`: no known words, but marked as an alert. */
export type MessageKind = 'REFUSED' | 'LOCKED' | 'TAKEN' | 'PASSWORD_RULE' | 'UNKNOWN'

/** Message that a person can read. */
export interface MessageFact {
  /**
   * Equal for the same showing of the same message: a message with a key that was not there at the attempt is
   * new, also if the page shows the same text again after it had taken it away.
   */
  readonly key: string
  readonly kind: MessageKind
  /** `FORM`: in or beside a form of `forms`. `TOAST`: alert or live region elsewhere. `PAGE`: other text. */
  readonly place: 'FORM' | 'TOAST' | 'PAGE'
}

/** Two sightings of one form: the same element, or one with the same fields. */
export const isSameForm = (one: FormIdentity, other: FormIdentity): boolean =>
  one.key === other.key || one.signature === other.signature

/**
 * Reads the document. Costs a walk over the page: call it when the page came to rest, not for each change.
 *
 * @param identity hash of who signs in, in lower case; null if unknown
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
