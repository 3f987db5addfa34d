import { type Copy, frameWatch, stopCapturing } from '../loader/frame-watch.ts'
import type { PagePolicy } from '../messages.ts'
import { emptyClipboard, watchCopy } from '../threats/watch-copy.ts'
import { forgetJudgment, judgeThisPage } from '../threats/watch-page.ts'
import { watchTyping } from '../threats/watch-typing.ts'
import { receiveCaptured } from './page-events.ts'
import { pageFields } from './page-fields.ts'
import { watchSettled, whenParsed } from './settled.ts'
import { watchLogins } from './watch-logins.ts'

/** Time for which a page is watched for a password form. */
const watchFormsMs = 60_000

/**
 * Judges a page outside the catalog once it asks for a password or an identity.
 *
 * @returns function that stops watching
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
  setTimeout(stop, watchFormsMs)
  return stop
}

/**
 * Observes one frame. The loader keeps events from before the policy is known. If the policy turns observation off,
 * nothing leaves the frame.
 *
 * @returns function to call with the policy, and again when it may have changed: a document may stay open for days
 */
export function startObserving(): (policy: PagePolicy, isChanged: boolean) => void {
  let known: PagePolicy | undefined
  let stopLooking = () => {}
  frameWatch().isObserved = true
  const updateLogins = watchLogins()
  const forgetTyping = watchTyping(() => known)
  const refusesCopy = watchCopy(
    () => known?.maliciousCopyPaste.mode ?? 'OFF',
    () => known?.contact ?? null,
  )
  /** Copies from before the policy was known are already on the clipboard. */
  const refusesLate = (copy: Copy) => {
    const isRefused = refusesCopy(copy)
    if (isRefused) emptyClipboard()
    return isRefused
  }
  return (policy, isChanged) => {
    const isNew = isChanged || (policy.active && !known?.active)
    known = policy
    if (isChanged) {
      forgetTyping()
      forgetJudgment()
    }
    updateLogins(policy, isChanged)
    if (policy.active) receiveCaptured(refusesLate, refusesCopy)
    else stopCapturing()
    if (!isNew) return
    whenParsed(() => {
      stopLooking()
      stopLooking = watchForms(policy)
    })
  }
}
