import { federatedIdentity } from '../logins/federated-text.ts'
import { ask } from '../messages.ts'

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
 * which provider. Neither tokens nor assertions leave the frame.
 *
 * @param isActive whether anything is observed here; waits until that is known
 */
export function watchCredentials(isActive: () => Promise<boolean>): {
  readonly onAssertion: () => void
  readonly onFederatedIdentity: (text: string) => void
} {
  let tells = 0
  const tell = async (send: () => Promise<unknown>) => {
    if (isServed() && tells++ < tellsMaximum && (await isActive())) await send()
  }
  return {
    onAssertion: () => void tell(() => ask('assertion', {})),
    onFederatedIdentity: (text) => {
      const seen = federatedIdentity(text)
      if (seen) void tell(() => ask('federatedIdentity', seen))
    },
  }
}
