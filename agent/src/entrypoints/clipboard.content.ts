import { defineContentScript } from 'wxt/utils/define-content-script'
import { hookClipboard } from '../threats/clipboard-hook.ts'

/** The only part of the agent in the page's own world (see `threats/clipboard-hook.ts`). */
export default defineContentScript({
  matches: ['http://*/*', 'https://*/*'],
  runAt: 'document_start',
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  world: 'MAIN',
  main() {
    hookClipboard()
  },
})
