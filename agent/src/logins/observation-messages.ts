import type { PageThreat } from '@muster/contract/agent-event'
import type { ControlMode } from '@muster/contract/controls'
import type { Copy } from '../loader/frame-watch.ts'
import type { ProtectedHint } from '../password/password-history.ts'
import type { PageFeatures } from '../threats/page-features.ts'
import type { FederatedIdentity } from './federation/federated-text.ts'
import type { LoginAttempt, PageState } from './login-messages.ts'

/**
 * What the observers in pages and the background say to each other; part of `messages.ts`.
 */

/** What is needed to judge a password in the page's own process. */
export interface PasswordKit {
  readonly salt: string
  /** One a line. */
  readonly commonWords: string
  readonly restrictedWords: readonly string[]
  /** Whether any check begins with the SHA-1 of a password. */
  readonly wantsSha1: boolean
}

/** What is needed to notice a protected password while it is typed. */
export interface TypingKit {
  readonly salt: string
  /** Empty where no password must be noticed: nothing that is typed is looked at then. */
  readonly hints: readonly ProtectedHint[]
}

/** What a protection does on a page. */
export interface ThreatVerdict {
  readonly threat: PageThreat
  readonly mode: Exclude<ControlMode, 'OFF'>
  /** The app that is imitated, or whose password it is; null if unknown. */
  readonly appType: string | null
  /** Its name for people; null if unknown. */
  readonly appName: string | null
}

/** Login that a tab waits for. */
export interface LoginWatch {
  readonly isWatched: boolean
  /** Hash of who signs in, in lower case; null if unknown. */
  readonly identity: string | null
}

export interface ObservationMessages {
  passwordKit: { readonly message: Record<string, never>; readonly answer: PasswordKit | null }
  typingKit: { readonly message: Record<string, never>; readonly answer: TypingKit | null }
  /** Credentials were handed in. */
  loginAttempt: { readonly message: { readonly attempt: LoginAttempt }; readonly answer: boolean }
  /** The page turned out to go elsewhere, by a link that the employee followed. */
  withdrawAttempt: { readonly message: Record<string, never>; readonly answer: boolean }
  /** Asks whether the tab waits for the outcome of an attempt. */
  loginWatch: { readonly message: Record<string, never>; readonly answer: LoginWatch }
  /** How the page looks; the answer is whether it is to be watched further. */
  pageState: { readonly message: { readonly state: PageState }; readonly answer: boolean }
  /** Somebody said who they are without a password: the first step of a login, or a choice at a provider. */
  identitySeen: {
    readonly message: {
      readonly identity: string
      readonly isChosen: boolean
      /** The page is a sign-in page that asks for nothing else. */
      readonly isAskedAlone: boolean
    }
    readonly answer: boolean
  }
  /** A code was handed in on a page that asks for no password. */
  codeHandedIn: { readonly message: Record<string, never>; readonly answer: boolean }
  /** The browser gave the page the word of a provider, by FedCM. */
  federatedIdentity: { readonly message: FederatedIdentity; readonly answer: boolean }
  /** A passkey or security key was used on the page. */
  assertion: { readonly message: Record<string, never>; readonly answer: boolean }
  /** A text that was typed may be a protected password. */
  typedText: { readonly message: { readonly fingerprint: string }; readonly answer: ThreatVerdict | null }
  /** A page copied what may be a command before its frame was observed. */
  earlyCopy: { readonly message: { readonly copy: Copy }; readonly answer: boolean }
  /** A page that asks for a password outside the catalog is judged. */
  judgePage: { readonly message: { readonly features: PageFeatures }; readonly answer: ThreatVerdict | null }
}

export type ObservationKind = keyof ObservationMessages
