import { withPart } from '../loader/fetch-part.ts'
import { ask } from '../messages.ts'
import { actOnThreat } from './act-on-threat.ts'

/** Maximum number of judgments per page. A page may build up late or change, but is not judged forever. */
const judgmentsMaximum = 5
let judgments = 0
let lastJudged = ''

/** Allows the page to be judged again, after a policy change. */
export function forgetJudgment(): void {
  judgments = 0
  lastJudged = ''
}

/** Judges a page outside the catalog that asks for a password or an identity. */
export async function judgeThisPage(contact: string | null): Promise<void> {
  if (judgments >= judgmentsMaximum) return
  const features = await withPart('features', (collectFeatures) => collectFeatures())
  if (!features) return
  const judged = JSON.stringify([
    features.title,
    features.headings,
    features.fieldNames,
    features.pictureHosts,
  ])
  if (judged === lastJudged) return
  lastJudged = judged
  judgments++
  const verdict = await ask('judgePage', { features })
  if (verdict) actOnThreat(verdict, contact)
  // Without an answer, the page was not judged.
  if (verdict !== undefined || lastJudged !== judged) return
  lastJudged = ''
  judgments--
}
