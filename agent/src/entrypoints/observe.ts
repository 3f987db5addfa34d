import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { frameWatch } from '../loader/frame-watch.ts'
import { ask, onNotice } from '../messages.ts'
import { startObserving } from '../observe/start-observing.ts'

/** Observes a frame from an isolated world that pages cannot reach. The background injects it on demand. */
export default defineUnlistedScript(() => {
  const frame = frameWatch()
  if (frame.isObserved) return
  const setPolicy = startObserving()
  const refreshPolicy = async (isChanged: boolean) => {
    const policy = await ask('getPagePolicy', { hasWords: frame.words !== null })
    if (!policy) return
    // Set before the policy is applied, which starts the reading of fields.
    frame.words ??= policy.words
    setPolicy(policy, isChanged)
  }
  void refreshPolicy(false)
  onNotice(({ notice }) => void refreshPolicy(notice === 'POLICY_CHANGED'))
  // A page restored from the back/forward cache has missed notices.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void refreshPolicy(true)
  })
})
