import { shortHash } from '../lib/short-hash.ts'
import type { FormState, PageLook, PageState } from '../logins/login-messages.ts'
import { deepAll, isVisible } from './deep-dom.ts'
import { type FormFacts, type PageFacts, readPageFacts } from './page-facts.ts'
import type { FieldReading } from './page-reading.ts'
import { signInControl } from './sign-in-control.ts'

/** Data of the document about the attempt made in it. */
export interface SinceAttempt {
  readonly isSameDocument: boolean
  readonly isLeft: boolean
  readonly isTouched: boolean
  /** Hash of the lower-case identity that signs in; null if unknown. */
  readonly identity: string | null
  readonly requests: number
  readonly requestStatus: number
}

const formsMaximum = 10
const messagesMaximum = 20

/** Returns the state of a form with its identifying parts hashed. */
const formState = (form: FormFacts): FormState => ({
  signature: shortHash(form.signature),
  purpose: form.purpose,
  hasPassword: form.currentPasswords + form.newPasswords > 0,
  hasIdentityField: form.hasIdentityField,
  hasCode: form.hasCodeField,
  identity: form.identity === null ? null : shortHash(form.identity.toLowerCase()),
})

const messageKeys = ({ messages }: PageFacts) =>
  messages.slice(0, messagesMaximum).map(({ key, kind, place }) => ({ key: shortHash(key), kind, place }))

function headingHash(): string {
  const heading = deepAll(document, 'h1, h2, [role="heading"]').find(isVisible)
  const text = `${document.title} ${heading?.textContent ?? ''}`
  return shortHash(text.replace(/\s+/g, ' ').trim())
}

/** Returns the appearance of the page, for comparison with later ones. */
export const pageLook = (facts: PageFacts): PageLook => ({
  messages: messageKeys(facts).map(({ key }) => key),
  signOut: facts.signOut,
  accountMenu: facts.accountMenu,
  showsIdentity: facts.showsIdentity,
  heading: headingHash(),
})

/** Minimum text length of a page that counts as drawn, unless it has a control or does not change any more. */
const textMinimum = 25
const drawnWithinMs = 5_000
const controls = 'a[href], button, input, select, textarea, h1, h2, [role="button"]'

const isEmpty = ({ textLength, forms }: PageFacts) =>
  forms.length === 0 &&
  textLength < (performance.now() < drawnWithinMs ? textMinimum : 1) &&
  !deepAll(document, controls).some(isVisible)

/** Marks of indeterminate progress. A bar that shows how much of something is used does not match. */
const busyMarks = '[aria-busy="true"], progress:not([value]), [role="progressbar"]:not([aria-valuenow])'
/** Maximum time for which a busy mark counts. A longer one has another cause. */
const busyMaximumMs = 15_000

const isBusy = () =>
  performance.now() < busyMaximumMs && deepAll(document, busyMarks).some((element) => isVisible(element))

/** Returns true if the document is loaded. A page that is being left may never finish loading, so parsed is enough. */
const isLoaded = ({ isLeft }: SinceAttempt) =>
  isLeft ? document.readyState !== 'loading' : document.readyState === 'complete'

/** Returns the current state of the page. */
export function pageState(reading: FieldReading, since: SinceAttempt): PageState {
  const { identity, ...sinceThen } = since
  const facts = readPageFacts(reading, identity)
  const { messages: _, ...look } = pageLook(facts)
  return {
    ...look,
    forms: facts.forms.slice(0, formsMaximum).map(formState),
    messages: messageKeys(facts),
    code: facts.code?.state ?? null,
    secondStep: facts.secondStep,
    confirmsAddress: facts.confirmsAddress,
    asksForPerson: facts.asksForPerson,
    signInControl: signInControl(),
    isReady: isLoaded(since) && !isEmpty(facts) && !isBusy(),
    documentMs: performance.timeOrigin,
    ...sinceThen,
  }
}
