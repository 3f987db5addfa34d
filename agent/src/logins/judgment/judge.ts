import {
  type FactWeight,
  factWeights,
  failedAt,
  type LoginFact,
  leftAt,
  succeededAt,
} from './fact-weights.ts'

/** `PENDING`: not certain; more evidence may come. */
export type Outcome = 'SUCCEEDED' | 'FAILED' | 'PENDING'

/** Fact and the weight that it had. */
interface Reason {
  readonly fact: LoginFact
  readonly weight: number
}

export interface Judgment {
  readonly outcome: Outcome
  readonly score: number
  /** In the order of the weight table. */
  readonly reasons: readonly Reason[]
}

/** `LEFT`: the tab was closed or went elsewhere, so no more evidence will come. */
export type Phase = 'WATCHING' | 'LEFT'

/** Judges a login attempt by its facts. */
export function judge(facts: ReadonlySet<LoginFact>, phase: Phase = 'WATCHING'): Judgment {
  const known = Object.entries<FactWeight>(factWeights) as [LoginFact, FactWeight][]
  const present = known.filter(([fact]) => facts.has(fact))
  const reasons = present.map(([fact, { weight }]) => ({ fact, weight }))
  const score = reasons.reduce((sum, { weight }) => sum + weight, 0)
  const isHeld = present.some(([, { holds }]) => holds)
  return { outcome: outcomeOf(score, isHeld, phase), score, reasons }
}

function outcomeOf(score: number, isHeld: boolean, phase: Phase): Outcome {
  if (score <= failedAt) return 'FAILED'
  if (!isHeld && score >= (phase === 'LEFT' ? leftAt : succeededAt)) return 'SUCCEEDED'
  return phase === 'LEFT' ? 'FAILED' : 'PENDING'
}
