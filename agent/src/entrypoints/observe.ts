import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { frameWatch } from '../loader/frame-watch.ts'
import { ask, onNotice } from '../messages.ts'
import { startObserving } from '../observe/start-observing.ts'

/** Observes a frame, in a world of the agent's own that pages cannot reach. The background injects it where it is needed. */
export default defineUnlistedScript(() => {
  const frame = frameWatch()
  if (frame.isObserved) return
  const tellPolicy = startObserving()
  const learnPolicy = async (isAnother: boolean) => {
    const policy = await ask('getPagePolicy', { hasWords: frame.words !== null })
    if (!policy) return
    // Before the policy is told: from then on fields are looked at.
    frame.words ??= policy.words
    tellPolicy(policy, isAnother)
  }
  void learnPolicy(false)
  onNotice(({ notice }) => void learnPolicy(notice === 'POLICY_CHANGED'))
  // A page that the browser kept while another one was shown has heard no notice.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void learnPolicy(true)
  })
})
