import { musterHost } from './muster-service.ts'
import type { RecordedRequest } from './recording.ts'
import { findTraces, tracesOf } from './secret-traces.ts'
import { authenticationPaths } from './sites/http-authentication.ts'
import { passwordPaths } from './sites/web.ts'

/** Observed data of the browsers of a world. */
export interface Seen {
  readonly requests: readonly RecordedRequest[]
  /** Storage of each agent as JSON. */
  readonly kept: readonly string[]
  /** Passwords that were used. */
  readonly secrets: Iterable<string>
}

/** Returns true for a page that sends a password to its own site, which is no leak. */
const isOwnLogin = ({ host, method, target }: RecordedRequest): boolean =>
  host !== musterHost &&
  (method === 'POST' ? passwordPaths : authenticationPaths).has(target.split('?')[0] ?? '')

/** Returns possible salts of password hashes: every stored value with a name containing `salt`. */
const saltsIn = (kept: readonly string[]): string[] => [
  ...new Set(
    kept.flatMap((text) => [...text.matchAll(/"\w*salt\w*":"([^"]+)"/gi)].flatMap(([, salt]) => salt ?? [])),
  ),
]

/**
 * Returns the requests with traces of a password in their address, headers or decompressed body. Fingerprints with the
 * stored salts count as traces.
 */
export function leaks({ requests, kept, secrets }: Seen): string[] {
  const salts = saltsIn(kept)
  const traces = [...secrets].flatMap((secret) => tracesOf(secret, salts))
  return requests
    .filter((request) => !isOwnLogin(request))
    .flatMap(({ method, host, target, headers, body }) =>
      findTraces(`${target}\n${headers}\n${body}`, traces).map(
        (what) => `${method} ${host}${target}: ${what}`,
      ),
    )
}

/** Returns traces that agents must not even store: passwords, and hashes without the agent's salt. */
export function keptInClear({ kept, secrets }: Seen): string[] {
  const traces = [...secrets].flatMap((secret) => tracesOf(secret, []))
  return kept.flatMap((text) => findTraces(text, traces))
}
