import { defineContentScript } from 'wxt/utils/define-content-script'
import { ask, onNotice } from '../messages.ts'
import { startObserving } from '../observe/start-observing.ts'

/** Observes every frame from before its page runs, in a world of the agent's own that pages cannot reach. */
export default defineContentScript({
  matches: ['http://*/*', 'https://*/*'],
  runAt: 'document_start',
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  main() {
    const tellPolicy = startObserving()
    const learnPolicy = async (isAnother: boolean) => {
      const policy = await ask('getPagePolicy', {})
      if (policy) tellPolicy(policy, isAnother)
    }
    void learnPolicy(false)
    onNotice(({ notice }) => void learnPolicy(notice === 'POLICY_CHANGED'))
    // A page that the browser kept while another one was shown has heard no notice.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) void learnPolicy(true)
    })
  },
})
