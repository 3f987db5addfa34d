import { defineContentScript } from 'wxt/utils/define-content-script'
import { showBanner } from '../banner/show-banner.ts'
import { ask, onNotice } from '../messages.ts'

/** Shows the banner of a page's app, and follows the policy while the page is open. */
export default defineContentScript({
  matches: ['http://*/*', 'https://*/*'],
  runAt: 'document_start',
  main() {
    let shown = ''
    let takeAway: (() => void) | null = null
    const look = async () => {
      const wanted = await ask('getBanner', {})
      // No answer says nothing: what is shown stays.
      if (wanted === undefined) return
      const key = JSON.stringify(wanted)
      if (key === shown) return
      shown = key
      takeAway?.()
      takeAway = wanted && showBanner(wanted)
    }
    onNotice(() => void look())
    void look()
  },
})
