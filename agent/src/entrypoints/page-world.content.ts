import { defineContentScript } from 'wxt/utils/define-content-script'
import { hookCredentials } from '../logins/credential-hook.ts'
import { openPageChannel } from '../page-world/page-channel.ts'
import { hookClipboard } from '../threats/clipboard-hook.ts'

/** The only part of the agent in the page's own world (see `page-world/`). */
export default defineContentScript({
  matches: ['http://*/*', 'https://*/*'],
  runAt: 'document_start',
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  world: 'MAIN',
  main() {
    const say = openPageChannel()
    hookClipboard(say)
    hookCredentials(say)
  },
})
