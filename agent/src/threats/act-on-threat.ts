import { fetchPart } from '../loader/fetch-part.ts'
import type { ThreatVerdict } from '../logins/observation-messages.ts'
import { type ThreatStory, tellThreat } from './threat-report.ts'

/** Threats reported on this page; each is reported once. */
const told = new Map<string, ThreatStory>()

/** Returns the open reports to update when a password is submitted. */
export const storiesOfPasswords = (): ThreatStory[] =>
  [...told.values()].filter(({ verdict }) => verdict.threat !== 'MALICIOUS_COPY_PASTE')

/**
 * Callback for an employee who continues despite the warning. Nothing is blocked from then on, but everything is
 * reported.
 */
export interface ThreatChoice {
  readonly onGoOn?: () => void
}

/** Reports a threat and applies its mode: report only, warn, or block. */
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
