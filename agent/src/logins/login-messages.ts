import type { mfaMethods } from '@muster/contract/account'
import type { CodeState, FormFacts, MessageFact } from '../observe/page-facts.ts'
import type { WeakReason } from '../password/weak-reasons.ts'

export type MfaMethod = (typeof mfaMethods)[number]

/** What the content script makes of a password while it holds it; the password itself stays there. */
export interface AttemptPassword {
  readonly fingerprint: string
  /** UTF-16 units. */
  readonly length: number
  /** 40 upper-case hexadecimal characters; null where the policy asks for no check that begins with it. */
  readonly sha1: string | null
  readonly weakReasons: readonly WeakReason[]
  /** Null if that could not be seen. */
  readonly manuallyTyped: boolean | null
}

/** Look of a document at one moment, to compare later ones with. Texts are hashed (`shortHash`). */
export interface PageLook {
  /** Keys of the errors and alerts that are shown. */
  readonly messages: readonly string[]
  readonly signOut: 'SHOWN' | 'HIDDEN' | null
  readonly accountMenu: boolean
  /** True if the page shows who hands the form in, outside of fields; null if it does not know who that is. */
  readonly showsIdentity: boolean | null
  /** Title and first heading. */
  readonly heading: string
}

/** Credentials were handed to the page: a form was submitted, or a button or Enter was pressed. */
export interface LoginAttempt {
  /** The e-mail address or user name in the form; null if there was none. */
  readonly identity: string | null
  readonly password: AttemptPassword
  /** Whether the form asks to set a password, not for the present one. */
  readonly isNewPassword: boolean
  /** Whether the employee had touched the page: a page alone cannot make up a login. */
  readonly isActivated: boolean
  /** Whether the page noticed that the password is a protected one, and so tells of it itself. */
  readonly isToldOf: boolean
  /** When it was done, by the clock of the browser; Unix milliseconds. */
  readonly pressedMs: number
  /** Form that was handed in. */
  readonly form: Pick<FormState, 'signature' | 'purpose'>
  /** Second step whose code was handed in with the password; null if the form asked for none. */
  readonly code: { readonly state: CodeState; readonly method: MfaMethod | null } | null
  /** Page at that moment. */
  readonly before: PageLook
}

/** Form that can be seen, with what it asks for. */
export interface FormState {
  /** Hash of the names and kinds of its fields. */
  readonly signature: string
  readonly purpose: FormFacts['purpose']
  readonly hasPassword: boolean
  readonly hasIdentityField: boolean
  readonly hasCode: boolean
  /** Hash of the identity that is in it; null if there is none. */
  readonly identity: string | null
}

/** Error or alert that can be seen. */
export type MessageState = Pick<MessageFact, 'key' | 'kind' | 'place'>

/** Look of a page after it came to rest. */
export interface PageState extends Omit<PageLook, 'messages'> {
  readonly forms: readonly FormState[]
  readonly messages: readonly MessageState[]
  /** One-time code that the page asks for; null if it asks for none. */
  readonly code: CodeState | null
  /** The kind of second step, as the words of the page tell it. */
  readonly secondStep: MfaMethod | 'UNKNOWN' | null
  /** True if the code or link confirms an address at a sign-up. */
  readonly confirmsAddress: boolean
  /** True if the page does nothing but ask for a proof that a person is there. */
  readonly asksForPerson: boolean
  /** True if a link or button is named "Sign in". */
  readonly signInControl: boolean
  /** True once the page is loaded, shows something and is not marked as busy. */
  readonly isReady: boolean
  /** True if the page is being left: it may not have come to rest. Told only if there is a control to sign out. */
  readonly isLeft: boolean
  /** True if a person clicked or typed on the page since it was first ready. */
  readonly isTouched: boolean
  /** Whether the attempt was made in this very document. */
  readonly isSameDocument: boolean
  /** When the document began; Unix milliseconds. */
  readonly documentMs: number
  /** Requests of scripts since the attempt. */
  readonly requests: number
  /** Status of the first of them that went to the site of the page; 0 if unknown. */
  readonly requestStatus: number
}
