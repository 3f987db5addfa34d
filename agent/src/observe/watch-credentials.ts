import { federatedIdentity } from '../logins/federation/federated-text.ts'
import { ask } from '../messages.ts'
import type { PageListeners } from '../page-world/page-channel.ts'

/** Maximum number of reports per page. */
const reportsMaximum = 20

/**
 * Returns true if the document came from a server. In a document that a page created itself, such as an empty frame,
 * the page can run before the hooks and imitate them (`page-world/page-channel.ts`). Nobody signs in there.
 */
function isServed(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return (navigation?.responseStatus ?? 0) > 0
}

/**
 * Reports credentials that the browser gave to the page: a used passkey, or the provider and identity of a FedCM
 * sign-in. Tokens and assertions stay in the frame. The background rejects these messages while observation is off.
 *
 * @returns listeners for the hook in the page's world, which never refuse
 */
export function watchCredentials(): Pick<PageListeners, 'ASSERTION' | 'FEDERATED_IDENTITY'> {
  let sent = 0
  const report = (send: () => Promise<unknown>) => {
    if (isServed() && sent++ < reportsMaximum) void send()
    return false
  }
  return {
    ASSERTION: () => report(() => ask('assertion', {})),
    FEDERATED_IDENTITY: (text) => {
      const seen = federatedIdentity(text)
      return seen !== null && report(() => ask('federatedIdentity', seen))
    },
  }
}
