/** Priorities of open findings, most urgent first. */
export const priorities = ['P1', 'P2', 'P3', 'P4'] as const
export type Priority = (typeof priorities)[number]

/** Lowest score of each priority. A score is the sum of the points of the rules that match a finding. */
export const priorityScores: Readonly<Record<Priority, number>> = { P1: 80, P2: 50, P3: 25, P4: 0 }

/** Risk levels of accounts, employees and apps, highest first. */
export const riskLevels = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NONE'] as const
export type RiskLevel = (typeof riskLevels)[number]

const levelOf: Readonly<Record<Priority, RiskLevel>> = { P1: 'CRITICAL', P2: 'HIGH', P3: 'MEDIUM', P4: 'LOW' }

/** Returns the priority of a score. */
export const priorityOf = (score: number): Priority =>
  priorities.find((priority) => score >= priorityScores[priority]) ?? 'P4'

/** Returns the risk level of a record whose open findings have this highest score; `NONE` for null. */
export const riskLevelOf = (score: number | null): RiskLevel =>
  score === null ? 'NONE' : levelOf[priorityOf(score)]

/** A range of scores: from the first to below the second, which may be missing. */
export type ScoreRange = readonly [from: number, below: number | undefined]

/** Returns the scores of a priority. */
export const scoresOf = (priority: Priority): ScoreRange => {
  const above = priorities[priorities.indexOf(priority) - 1]
  return [priorityScores[priority], above && priorityScores[above]]
}

/** Returns the highest scores of a risk level; undefined for `NONE`, which has no score. */
export const scoresOfLevel = (level: RiskLevel): ScoreRange | undefined => {
  const priority = priorities.find((one) => levelOf[one] === level)
  return priority && scoresOf(priority)
}
