import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { hookCredentials } from '../logins/credentials/credential-hook.ts'
import { openPageChannel } from '../page-world/page-channel.ts'
import { hookClipboard } from '../threats/clipboard-hook.ts'

/** Only part of the agent that runs in the page's own world (see `page-world/`). */
export default defineUnlistedScript(() => {
  const send = openPageChannel()
  hookClipboard(send)
  hookCredentials(send)
})
