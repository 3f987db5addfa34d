import { watchTopLayer } from '../lib/top-layer.ts'
import type { PagePolicy } from '../messages.ts'
import { listenToPage } from '../page-world/page-channel.ts'
import { watchCopy } from '../threats/watch-copy.ts'
import { forgetJudgement, judgeThisPage } from '../threats/watch-page.ts'
import { watchTyping } from '../threats/watch-typing.ts'
import { pageFields } from './page-fields.ts'
import { watchSettled, whenParsed } from './settled.ts'
import { watchCredentials } from './watch-credentials.ts'
import { watchLogins } from './watch-logins.ts'

/** For how long a page is looked at for a form that asks for a password. */
const lookingMs = 60_000

/**
 * Judges the page once it asks for a password, or for who somebody is, outside the catalogue.
 *
 * @returns stops looking for that
 */
function watchForms(policy: PagePolicy): () => void {
  if (policy.product || !policy.active) return () => {}
  const look = () => {
    const asks = pageFields().some(
      ({ kind, isVisible }) => isVisible && (kind === 'PASSWORD' || kind === 'IDENTITY'),
    )
    if (asks) void judgeThisPage(policy.contact)
  }
  const stop = watchSettled(look)
  setTimeout(stop, lookingMs)
  return stop
}

/**
 * Observes one frame, from before its page runs. Until the policy is known events are only followed; where
 * it says that nothing is observed, nothing ever leaves the frame.
 *
 * @returns to be told the policy, and again when it may be another one: a document may stay open for days
 */
export function startObserving(): (policy: PagePolicy, isAnother: boolean) => void {
  let known: PagePolicy | undefined
  let stopLooking = () => {}
  watchTopLayer()
  const { promise: firstPolicy, resolve: onFirstPolicy } = Promise.withResolvers<void>()
  const tellLogins = watchLogins()
  const forgetTyping = watchTyping(() => known)
  const copies = watchCopy(
    () => (known?.active ? known.maliciousCopyPaste.mode : 'OFF'),
    () => known?.contact ?? null,
  )
  const credentials = watchCredentials(async () => {
    await firstPolicy
    return known?.active === true
  })
  const heard = (tell: (text: string) => void) => (text: string) => {
    tell(text)
    return false
  }
  listenToPage({
    ...copies,
    ASSERTION: heard(credentials.onAssertion),
    FEDERATED_IDENTITY: heard(credentials.onFederatedIdentity),
  })
  return (policy, isAnother) => {
    const isNew = isAnother || (policy.active && !known?.active)
    known = policy
    onFirstPolicy()
    if (isAnother) {
      forgetTyping()
      forgetJudgement()
    }
    tellLogins(policy, isAnother)
    if (!isNew) return
    whenParsed(() => {
      stopLooking()
      stopLooking = watchForms(policy)
    })
  }
}
