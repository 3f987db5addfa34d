import { withPart } from '../loader/fetch-part.ts'
import { ask } from '../messages.ts'
import { actOnThreat } from './act-on-threat.ts'

/** A page may build itself up late, or change its mind; it is not judged for ever. */
const judgmentsMaximum = 5
let judgments = 0
let lastJudged = ''

/** Lets the page be judged again, as when the policy is another one. */
export function forgetJudgment(): void {
  judgments = 0
  lastJudged = ''
}

/** Judges a page that asks for a password or for who somebody is, outside the catalog. */
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
  // Without an answer it was not judged.
  if (verdict !== undefined || lastJudged !== judged) return
  lastJudged = ''
  judgments--
}
