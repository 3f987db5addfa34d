import { fetchPart } from '../loader/fetch-part.ts'
import type { ThreatVerdict } from '../logins/observation-messages.ts'
import { type ThreatStory, tellThreat } from './threat-report.ts'

/** Threats that were told of on this page; each is told once. */
const told = new Map<string, ThreatStory>()

/** What the page is in the middle of: told when a password is handed in. */
export const storiesOfPasswords = (): ThreatStory[] =>
  [...told.values()].filter(({ verdict }) => verdict.threat !== 'MALICIOUS_COPY_PASTE')

/** The employee decided to go on: from then on nothing is stopped, and everything told. */
export interface ThreatChoice {
  readonly onGoOn?: () => void
}

/** Reports a threat and does what its mode asks for: nothing more, a warning, or a stop. */
export function actOnThreat(
  verdict: ThreatVerdict,
  contact: string | null,
  choice: ThreatChoice = {},
): ThreatStory {
  const key = `${verdict.threat} ${verdict.appType}`
  const known = told.get(key)
  if (known) return known
  const story = tellThreat(verdict)
  told.set(key, story)
  if (verdict.mode === 'MONITOR') return story
  const goOn = () => {
    story.ignored()
    choice.onGoOn?.()
  }
  void fetchPart('warn').then((showWarning) =>
    showWarning?.(verdict, { goOn: verdict.mode === 'WARN' ? goOn : null, contact }),
  )
  return story
}
