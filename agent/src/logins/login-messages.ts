import type { mfaMethods } from '@muster/contract/records/account'
import type { CodeState, FormFacts, MessageFact } from '../observe/page-facts.ts'
import type { WeakReason } from '../password/weak-reasons.ts'

export type MfaMethod = (typeof mfaMethods)[number]

/** Facts that the content script derives from a password. The password itself stays in the content script. */
export interface AttemptPassword {
  readonly fingerprint: string
  /** UTF-16 code units. */
  readonly length: number
  /** 40 upper-case hexadecimal characters; null if the policy enables no check that needs it. */
  readonly sha1: string | null
  readonly weakReasons: readonly WeakReason[]
  /** Null if unknown. */
  readonly manuallyTyped: boolean | null
}

/** Appearance of a document at one moment, for comparison with later ones. Texts are hashed (`shortHash`). */
export interface PageLook {
  /** Keys of visible errors and alerts. */
  readonly messages: readonly string[]
  readonly signOut: 'SHOWN' | 'HIDDEN' | null
  readonly accountMenu: boolean
  /** True if the page shows the submitted identity outside of fields; null if the identity is unknown. */
  readonly showsIdentity: boolean | null
  /** Title and first heading. */
  readonly heading: string
}

/** Credentials submitted to the page: a form was submitted, or a button or Enter was pressed. */
export interface LoginAttempt {
  /** E-mail address or user name in the form; null if there was none. */
  readonly identity: string | null
  readonly password: AttemptPassword
  /** True if the form asks for a new password instead of the current one. */
  readonly isNewPassword: boolean
  /** True if the employee interacted with the page: a page alone cannot produce a login. */
  readonly isActivated: boolean
  /** True if the page recognized a protected password and reports it itself. */
  readonly isToldOf: boolean
  /** Time of the press by the browser's clock; Unix milliseconds. */
  readonly pressedMs: number
  /** Submitted form. */
  readonly form: Pick<FormState, 'signature' | 'purpose'>
  /** Second step whose code was submitted with the password; null if the form asked for none. */
  readonly code: { readonly state: CodeState; readonly method: MfaMethod | null } | null
  /** Page at that moment. */
  readonly before: PageLook
}

/** Visible form and what it asks for. */
export interface FormState {
  /** Hash of the names and kinds of its fields. */
  readonly signature: string
  readonly purpose: FormFacts['purpose']
  readonly hasPassword: boolean
  readonly hasIdentityField: boolean
  readonly hasCode: boolean
  /** Hash of the identity entered in it; null if there is none. */
  readonly identity: string | null
}

/** Control that leads to a sign-in: named "Sign in", or "Back to sign in". */
export type SignInControl = 'SIGN_IN' | 'BACK_TO_SIGN_IN'

/** Visible error or alert. */
type MessageState = Pick<MessageFact, 'key' | 'kind' | 'place'>

/** State of a page after it settled. */
export interface PageState extends Omit<PageLook, 'messages'> {
  readonly forms: readonly FormState[]
  readonly messages: readonly MessageState[]
  /** State of the one-time code that the page asks for; null if it asks for none. */
  readonly code: CodeState | null
  /** Kind of second step according to the page's text. */
  readonly secondStep: MfaMethod | 'UNKNOWN' | null
  /** True if the code or link confirms an address at sign-up. */
  readonly confirmsAddress: boolean
  /** True if the page shows only a challenge, such as a CAPTCHA. */
  readonly asksForPerson: boolean
  /** Kind of a link or button that leads to a sign-in; null if there is none. */
  readonly signInControl: SignInControl | null
  /** True once the page is loaded, shows something and is not marked as busy. */
  readonly isReady: boolean
  /** True if the page is being left and may not have settled. Sent only if there is a sign-out control. */
  readonly isLeft: boolean
  /** True if somebody clicked or typed on the page since it was first ready. */
  readonly isTouched: boolean
  /** True if the attempt was made in this document. */
  readonly isSameDocument: boolean
  /** Start of the document; Unix milliseconds. */
  readonly documentMs: number
  /** Number of script requests since the attempt. */
  readonly requests: number
  /** Status of the first of them that went to the page's site; 0 if unknown. */
  readonly requestStatus: number
}
