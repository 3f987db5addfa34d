import { type Flows, flowNames, type Levels } from '@muster/contract/console/trends/daily-figures'

/** Figures of a day or of a longer period. */
interface Figures {
  readonly flows: Flows
  readonly levels: Levels | null
}

/** Adds up flows. Those that never happened are 0. */
export function sumFlows(all: readonly Flows[]): Required<Flows> {
  const sum = (name: keyof Flows) => all.reduce((total, flows) => total + (flows[name] ?? 0), 0)
  const names: readonly (keyof Flows)[] = [...flowNames, 'resolveSeconds']
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Required<Flows>
}

/** Returns the last known levels; null if there are none. */
export const lastLevels = (days: readonly Figures[]): Levels | null =>
  days.findLast(({ levels }) => levels !== null)?.levels ?? null

/** Splits days into weeks of seven. */
export const inWeeks = <T>(days: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(days.length / 7) }, (_, week) => days.slice(week * 7, week * 7 + 7))
