import type { PageThreat } from '@muster/contract/agent/agent-event'
import type { ControlMode } from '@muster/contract/records/controls'
import type { Copy } from '../loader/frame-watch.ts'
import type { ProtectedHint } from '../password/password-history.ts'
import type { PageFeatures } from '../threats/page-features.ts'
import type { FederatedIdentity } from './federation/federated-text.ts'
import type { LoginAttempt, PageState } from './login-messages.ts'

/** Messages between page observers and the background; part of `messages.ts`. */

/** Data for judging a password in the page's own process. */
export interface PasswordKit {
  readonly salt: string
  /** One word per line. */
  readonly commonWords: string
  readonly restrictedWords: readonly string[]
  /** True if any check needs the SHA-1 of a password. */
  readonly wantsSha1: boolean
}

/** Data for recognizing a protected password while it is typed. */
export interface TypingKit {
  readonly salt: string
  /** Empty if no password is protected; typed text is then not examined. */
  readonly hints: readonly ProtectedHint[]
}

/** Reaction of a protection on a page. */
export interface ThreatVerdict {
  readonly threat: PageThreat
  readonly mode: Exclude<ControlMode, 'OFF'>
  /** App that is imitated, or whose password it is; null if unknown. */
  readonly appType: string | null
  /** Display name of the app; null if unknown. */
  readonly appName: string | null
}

/** Login that a tab waits for. */
export interface LoginWatch {
  readonly isWatched: boolean
  /** Hash of the lower-case identity that signs in; null if unknown. */
  readonly identity: string | null
}

export interface ObservationMessages {
  passwordKit: { readonly message: Record<string, never>; readonly answer: PasswordKit | null }
  typingKit: { readonly message: Record<string, never>; readonly answer: TypingKit | null }
  /** Credentials were submitted. */
  loginAttempt: { readonly message: { readonly attempt: LoginAttempt }; readonly answer: boolean }
  /** The press turned out to follow a link instead of submitting the form. */
  withdrawAttempt: { readonly message: Record<string, never>; readonly answer: boolean }
  /** Asks whether the tab waits for the outcome of an attempt. */
  loginWatch: { readonly message: Record<string, never>; readonly answer: LoginWatch }
  /** State of the page; the answer is true while the page should keep reporting. */
  pageState: { readonly message: { readonly state: PageState }; readonly answer: boolean }
  /** An identity was entered without a password: the first step of a login, or a choice at a provider. */
  identitySeen: {
    readonly message: {
      readonly identity: string
      readonly isChosen: boolean
      /** True if the page is a sign-in page that asks for nothing else. */
      readonly isAskedAlone: boolean
    }
    readonly answer: boolean
  }
  /** A code was submitted on a page that asks for no password. */
  codeHandedIn: { readonly message: Record<string, never>; readonly answer: boolean }
  /** The browser gave the page a FedCM credential. */
  federatedIdentity: { readonly message: FederatedIdentity; readonly answer: boolean }
  /** A passkey or security key was used on the page. */
  assertion: { readonly message: Record<string, never>; readonly answer: boolean }
  /** Typed text may be a protected password. */
  typedText: { readonly message: { readonly fingerprint: string }; readonly answer: ThreatVerdict | null }
  /** A page copied what may be a command before its frame was observed. */
  earlyCopy: { readonly message: { readonly copy: Copy }; readonly answer: boolean }
  /** Asks for a judgment of a page outside the catalog that asks for a password. */
  judgePage: { readonly message: { readonly features: PageFeatures }; readonly answer: ThreatVerdict | null }
}

export type ObservationKind = keyof ObservationMessages
