import type { mfaMethods } from '@muster/contract/account'
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
}

/** What a page looks like after it came to rest. */
export interface PageState {
  /** A field for the present password can be seen. */
  readonly passwordField: boolean
  /** A field for a password that is being set can be seen. */
  readonly newPasswordField: boolean
  /** The page asks only who somebody is, as the first step of a login. */
  readonly identityField: boolean
  /** A field for a one-time code can be seen. */
  readonly codeField: boolean
  /** Whether a code was typed into it. */
  readonly codeEntered: boolean
  /** The kind of second step, as the words of the page tell it. */
  readonly secondStep: MfaMethod | 'UNKNOWN' | null
  /** The page says that the login failed. */
  readonly error: boolean
  /** Whether the attempt was made in this very document. */
  readonly isSameDocument: boolean
  /** When the document began; Unix milliseconds. */
  readonly documentMs: number
  /** Requests of scripts since the attempt. */
  readonly requests: number
  /** Status of the first of them that went to the site of the page; 0 if unknown. */
  readonly requestStatus: number
}
