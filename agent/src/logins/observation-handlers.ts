import { appendsCode } from '@muster/contract/password-facts/password-sites'
import type { MessageSender } from '../background/message-sender.ts'
import { commonWordLines } from '../password/common-words.ts'
import { reportEarlyCopy } from '../threats/early-copy.ts'
import { judgePage } from '../threats/judge-page.ts'
import { judgeTypedPassword, typingKit } from '../threats/protected-password.ts'
import {
  dropAttempt,
  type FromFrame,
  loginWatch,
  onAttempt,
  onIdentity,
  onPageState,
} from './attempts/track-attempts.ts'
import { historyWithSalt } from './complete-login.ts'
import { onAssertion, onFederatedIdentity } from './credentials/credential-events.ts'
import { currentAddress } from './current-address.ts'
import type { LoginDeps } from './login-deps.ts'
import type { ObservationKind, ObservationMessages, PasswordKit } from './observation-messages.ts'
import { onCodeSubmitted, onSignInStart } from './passwordless/track-passwordless.ts'

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
    salt: (await historyWithSalt()).salt,
    commonWords: commonWordLines,
    restrictedWords: policy.restrictedWords,
    wantsSha1: isChecked && !appendsCode(new URL(url).hostname),
  }
}

const answers: Answers = {
  passwordKit: (deps, from) => passwordKit(deps, from),
  typingKit: (deps, { url }) => typingKit(deps, url),
  loginAttempt: (deps, from, { attempt }) => onAttempt(deps, from, attempt),
  withdrawAttempt: async (_, from) => (await dropAttempt(from.tabId)).attempt === null,
  loginWatch: (_, from) => loginWatch(from),
  pageState: (deps, from, { state }) => onPageState(deps, from, state),
  identitySeen: async (deps, from, { identity, isChosen, isAskedAlone }) => {
    await onIdentity(deps, from, identity, isChosen)
    if (isAskedAlone) await onSignInStart(from, identity)
    return true
  },
  codeHandedIn: (_, from) => onCodeSubmitted(from),
  federatedIdentity: (deps, from, seen) => onFederatedIdentity(deps, from, seen),
  assertion: (deps, from) => onAssertion(deps, from),
  typedText: (deps, { url }, { fingerprint }) => judgeTypedPassword(deps, url, fingerprint),
  earlyCopy: (deps, { url }, { copy }) => reportEarlyCopy(deps, url, copy),
  judgePage: (deps, from, { features }) => judgePage(deps, from.url, features),
}

/** Handlers of messages from page observers, in the form that the message server expects. */
export type ObservationHandlers = {
  readonly [K in ObservationKind]: (
    body: ObservationMessages[K]['message'],
    from: MessageSender,
  ) => Promise<ObservationMessages[K]['answer']>
}

/**
 * Creates the handlers. Messages are handled one at a time and only from frames of tabs. They are rejected while
 * observation is off.
 */
export function observationHandlers(
  deps: LoginDeps,
  enqueue: <T>(task: () => Promise<T>) => Promise<T>,
): ObservationHandlers {
  const handler =
    <K extends ObservationKind>(kind: K) =>
    (body: ObservationMessages[K]['message'], sender: MessageSender) => {
      const { tabId, frameId } = sender
      // Read before the task is queued: the frame may show another page by the time it runs.
      const address = currentAddress(sender)
      return enqueue(async () => {
        if (tabId === null || !(await deps.policy())) throw new Error('Observation is off.')
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
