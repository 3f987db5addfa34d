import { federatedIdentity } from '../logins/federation/federated-text.ts'
import { ask } from '../messages.ts'
import type { PageEar } from '../page-world/page-channel.ts'

/** Nobody signs in more often than this on one page. */
const tellsMaximum = 20

/**
 * Whether the document came from a server. In one that a page has made itself, such as that of a new empty frame, the
 * page may be before the hooks are, and speak in their place (`page-world/page-channel.ts`); nobody signs in there.
 */
function isServed(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return (navigation?.responseStatus ?? 0) > 0
}

/**
 * Tells the background of credentials that the browser gave to the page: that a passkey was used, and who signed in by
 * which provider. Neither tokens nor assertions leave the frame. The background takes no such word while nothing is observed.
 *
 * @returns what the hook in the page's world tells; nothing of it is refused
 */
export function watchCredentials(): Pick<PageEar, 'ASSERTION' | 'FEDERATED_IDENTITY'> {
  let tells = 0
  const tell = (send: () => Promise<unknown>) => {
    if (isServed() && tells++ < tellsMaximum) void send()
    return false
  }
  return {
    ASSERTION: () => tell(() => ask('assertion', {})),
    FEDERATED_IDENTITY: (text) => {
      const seen = federatedIdentity(text)
      return seen !== null && tell(() => ask('federatedIdentity', seen))
    },
  }
}
