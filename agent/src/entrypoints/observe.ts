import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { frameWatch } from '../loader/frame-watch.ts'
import { ask, onNotice } from '../messages.ts'
import { startObserving } from '../observe/start-observing.ts'

/** Observes a frame from an isolated world that pages cannot reach. The background injects it on demand. */
export default defineUnlistedScript(() => {
  const frame = frameWatch()
  if (frame.isObserved) return
  const tellPolicy = startObserving()
  const learnPolicy = async (isAnother: boolean) => {
    const policy = await ask('getPagePolicy', { hasWords: frame.words !== null })
    if (!policy) return
    // Set before the policy is applied, which starts the reading of fields.
    frame.words ??= policy.words
    tellPolicy(policy, isAnother)
  }
  void learnPolicy(false)
  onNotice(({ notice }) => void learnPolicy(notice === 'POLICY_CHANGED'))
  // A page restored from the back/forward cache has missed notices.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void learnPolicy(true)
  })
})
