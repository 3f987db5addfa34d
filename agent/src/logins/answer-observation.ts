import { registrableHost } from '@muster/contract/catalogue/catalogue'
import { commonWordLines } from '../password/common-words.ts'
import { protectedAppOf, protectedHints, type TypedOn } from '../password/password-book.ts'
import { judgePage } from '../threats/judge-page.ts'
import { modeFor } from '../threats/threat-mode.ts'
import { bookWithSalt } from './complete-login.ts'
import { drop, type FromFrame, isWatched, onAttempt, onIdentity, onPageState } from './follow-attempts.ts'
import type { LoginDeps } from './login-deps.ts'
import type {
  Observation,
  ObservationKind,
  ObservationMessages,
  PasswordKit,
  ThreatVerdict,
  TypingKit,
} from './observation-messages.ts'

type Answers = {
  readonly [K in ObservationKind]: (
    deps: LoginDeps,
    from: FromFrame,
    body: ObservationMessages[K]['message'],
  ) => Promise<ObservationMessages[K]['answer']>
}

async function typedOn(deps: LoginDeps, { url }: FromFrame): Promise<TypedOn> {
  const { hostname } = new URL(url)
  const product = (await deps.catalogue()).byHost(hostname)
  return { appType: product?.appType ?? null, site: registrableHost(hostname) ?? hostname }
}

async function passwordKit(deps: LoginDeps): Promise<PasswordKit | null> {
  const policy = await deps.policy()
  if (!policy) return null
  return {
    salt: (await bookWithSalt()).salt,
    commonWords: commonWordLines,
    restrictedWords: policy.restrictedWords,
    wantsSha1: policy.leakedLookup || policy.stolenCredentials.length > 0,
  }
}

async function typingKit(deps: LoginDeps, from: FromFrame): Promise<TypingKit | null> {
  const policy = await deps.policy()
  if (!policy) return null
  const book = await bookWithSalt()
  const apps = policy.protectedAppTypes.filter((app) => modeFor(policy.protectedPasswords, app) !== 'OFF')
  return { salt: book.salt, hints: protectedHints(book, await typedOn(deps, from), apps) }
}

async function typedText(
  deps: LoginDeps,
  from: FromFrame,
  fingerprint: string,
): Promise<ThreatVerdict | null> {
  const policy = await deps.policy()
  if (!policy) return null
  const page = await typedOn(deps, from)
  const appType = protectedAppOf(await bookWithSalt(), fingerprint, page, policy.protectedAppTypes)
  const mode = appType === null ? 'OFF' : modeFor(policy.protectedPasswords, appType)
  if (appType === null || mode === 'OFF') return null
  const appName = (await deps.catalogue()).byType(appType)?.friendlyName ?? null
  return { threat: 'PROTECTED_PASSWORD_ENTERED', mode, appType, appName }
}

const answers: Answers = {
  passwordKit: (deps) => passwordKit(deps),
  typingKit: (deps, from) => typingKit(deps, from),
  loginAttempt: (deps, from, { attempt }) => onAttempt(deps, from, attempt),
  withdrawAttempt: async (_, from) => (await drop(from.tabId)).attempt === null,
  loginWatch: (_, from) => isWatched(from.tabId),
  pageState: (deps, from, { state }) => onPageState(deps, from, state),
  identitySeen: async (deps, from, { identity, isChosen }) => {
    await onIdentity(deps, from, identity, isChosen)
    return true
  },
  typedText: (deps, from, { fingerprint }) => typedText(deps, from, fingerprint),
  judgePage: (deps, from, { features }) => judgePage(deps, from.url, features),
}

/** Answers one message of an observer, whose shape was checked. */
export const answerObservation = <K extends ObservationKind>(
  deps: LoginDeps,
  from: FromFrame,
  message: Observation & { readonly observation: K },
): Promise<ObservationMessages[K]['answer']> =>
  answers[message.observation](deps, from, message.body as ObservationMessages[K]['message'])
