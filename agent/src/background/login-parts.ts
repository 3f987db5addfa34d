import { browserFacts } from '../facts/browser-facts.ts'
import type { LoginDeps } from '../logins/login-deps.ts'
import { report } from '../outbox/report-event.ts'
import { catalogOf } from '../policy/page-catalog.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import { askServer } from '../server/agent-request.ts'
import { connection } from '../state/connection.ts'

/** Maximum number of cached ranges. The same ranges are requested repeatedly while the background lives. */
const rangesMaximum = 20
const ranges = new Map<string, readonly string[]>()

async function range(prefix: string): Promise<readonly string[] | null> {
  const known = ranges.get(prefix)
  if (known) return known
  const connected = await connection.read()
  if (connected?.state !== 'ENROLLED') return null
  const { serverUrl, credential } = connected
  const answer = await askServer({ serverUrl, path: `/agent/v1/range/${prefix}`, credential })
  if (answer?.status !== 200) return null
  const lines = answer.text.split('\n')
  if (ranges.size >= rangesMaximum) ranges.clear()
  ranges.set(prefix, lines)
  return lines
}

/** Dependencies of login observation. */
export const loginDeps: LoginDeps = {
  report,
  policy: currentPolicy,
  catalog: async () => catalogOf(await currentPolicy()),
  range,
  profileEmail: async () => (await browserFacts()).profileEmail,
}
