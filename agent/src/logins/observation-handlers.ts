import { appendsCode } from '@muster/contract/password-facts/password-sites'
import type { MessageSender } from '../background/message-sender.ts'
import { commonWordLines } from '../password/common-words.ts'
import { reportEarlyCopy } from '../threats/early-copy.ts'
import { judgePage } from '../threats/judge-page.ts'
import { judgeTyped, typingKit } from '../threats/protected-password.ts'
import {
  drop,
  type FromFrame,
  loginWatch,
  onAttempt,
  onIdentity,
  onPageState,
} from './attempts/track-attempts.ts'
import { bookWithSalt } from './complete-login.ts'
import { onAssertion, onFederatedIdentity } from './credentials/credential-events.ts'
import { currentAddress } from './current-address.ts'
import type { LoginDeps } from './login-deps.ts'
import type { ObservationKind, ObservationMessages, PasswordKit } from './observation-messages.ts'
import { onCodeHandedIn, onSignInStart } from './passwordless/track-passwordless.ts'

type Answers = {
  readonly [K in ObservationKind]: (
    deps: LoginDeps,
    from: FromFrame,
    body: ObservationMessages[K]['message'],
  ) => Promise<ObservationMessages[K]['answer']>
}

async function passwordKit(deps: LoginDeps, { url }: FromFrame): Promise<PasswordKit | null> {
  const policy = await deps.policy()
  if (!policy) return null
  const isChecked = policy.leakedLookup || policy.stolenCredentials.length > 0
  return {
    salt: (await bookWithSalt()).salt,
    commonWords: commonWordLines,
    restrictedWords: policy.restrictedWords,
    wantsSha1: isChecked && !appendsCode(new URL(url).hostname),
  }
}

const answers: Answers = {
  passwordKit: (deps, from) => passwordKit(deps, from),
  typingKit: (deps, { url }) => typingKit(deps, url),
  loginAttempt: (deps, from, { attempt }) => onAttempt(deps, from, attempt),
  withdrawAttempt: async (_, from) => (await drop(from.tabId)).attempt === null,
  loginWatch: (_, from) => loginWatch(from),
  pageState: (deps, from, { state }) => onPageState(deps, from, state),
  identitySeen: async (deps, from, { identity, isChosen, isAskedAlone }) => {
    await onIdentity(deps, from, identity, isChosen)
    if (isAskedAlone) await onSignInStart(from, identity)
    return true
  },
  codeHandedIn: (_, from) => onCodeHandedIn(from),
  federatedIdentity: (deps, from, seen) => onFederatedIdentity(deps, from, seen),
  assertion: (deps, from) => onAssertion(deps, from),
  typedText: (deps, { url }, { fingerprint }) => judgeTyped(deps, url, fingerprint),
  earlyCopy: (deps, { url }, { copy }) => reportEarlyCopy(deps, url, copy),
  judgePage: (deps, from, { features }) => judgePage(deps, from.url, features),
}

/** Handlers of the observers' messages, as the background's message server takes them. */
export type ObservationHandlers = {
  readonly [K in ObservationKind]: (
    body: ObservationMessages[K]['message'],
    from: MessageSender,
  ) => Promise<ObservationMessages[K]['answer']>
}

/** Makes the handlers: in turn, for frames of tabs only, and without an answer while nothing is observed. */
export function observationHandlers(
  deps: LoginDeps,
  turn: <T>(task: () => Promise<T>) => Promise<T>,
): ObservationHandlers {
  const handler =
    <K extends ObservationKind>(kind: K) =>
    (body: ObservationMessages[K]['message'], sender: MessageSender) => {
      const { tabId, frameId } = sender
      // Asked before other tasks have their turn: the frame may show another page by then.
      const address = currentAddress(sender)
      return turn(async () => {
        if (tabId === null || !(await deps.policy())) throw new Error('Nothing is observed here.')
        return answers[kind](deps, { tabId, frameId, url: await address }, body)
      })
    }
  return {
    passwordKit: handler('passwordKit'),
    typingKit: handler('typingKit'),
    loginAttempt: handler('loginAttempt'),
    withdrawAttempt: handler('withdrawAttempt'),
    loginWatch: handler('loginWatch'),
    pageState: handler('pageState'),
    identitySeen: handler('identitySeen'),
    codeHandedIn: handler('codeHandedIn'),
    federatedIdentity: handler('federatedIdentity'),
    assertion: handler('assertion'),
    typedText: handler('typedText'),
    earlyCopy: handler('earlyCopy'),
    judgePage: handler('judgePage'),
  }
}
