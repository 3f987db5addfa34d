import { musterHost } from './muster-service.ts'
import type { RecordedRequest } from './recording.ts'
import { findTraces, tracesOf } from './secret-traces.ts'
import { authenticationPaths } from './sites/http-authentication.ts'
import { passwordPaths } from './sites/web.ts'

/** What was seen of the browsers of a world. */
export interface Seen {
  readonly requests: readonly RecordedRequest[]
  /** All that each agent kept, as JSON. */
  readonly kept: readonly string[]
  /** The passwords that were used. */
  readonly secrets: Iterable<string>
}

/** A page sends a password to its own site: that is what it is for. */
const isOwnLogin = ({ host, method, target }: RecordedRequest): boolean =>
  host !== musterHost &&
  (method === 'POST' ? passwordPaths : authenticationPaths).has(target.split('?')[0] ?? '')

/** What passwords may have been hashed with: everything in an agent's store that is called a salt. */
const saltsIn = (kept: readonly string[]): string[] => [
  ...new Set(
    kept.flatMap((text) => [...text.matchAll(/"\w*salt\w*":"([^"]+)"/gi)].flatMap(([, salt]) => salt ?? [])),
  ),
]

/**
 * Requests that hold what gives a password away, in their address, header fields or unpacked body: each with what it
 * holds. Stored by agents with their salt, fingerprints are looked for, too.
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

/** What agents must not even keep: a password, or a hash of it that is made without their salt. */
export function keptInClear({ kept, secrets }: Seen): string[] {
  const traces = [...secrets].flatMap((secret) => tracesOf(secret, []))
  return kept.flatMap((text) => findTraces(text, traces))
}
