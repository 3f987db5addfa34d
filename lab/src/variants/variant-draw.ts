import { type Dimension, dimensions, plainVariant, type Variant, variantWith } from './variant-dimensions.ts'
import { documentRoutes, exclusionOf } from './variant-rules.ts'

/** Returns a random integer from 0 to below a limit. */
export type Dice = (below: number) => number

/** Creates a seeded random number generator (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Probability divisor: one value of this many is drawn, the others stay plain, as in most real pages. */
const plainness = 3
/** Number of tries for one choice of the leading dimensions. */
const triesPerLead = 100
const leadsMaximum = 200

/** Dimensions that are drawn first, because the rules would exclude most of their values if all were drawn at once. */
const leading = ['task', 'story', 'structure', 'landing', 'error'] as const

/**
 * Draws a valid variant.
 *
 * @param fixed values that are not drawn
 * @throws if the fixed values allow none
 */
export function drawVariant(roll: Dice, fixed: Partial<Variant> = {}): Variant {
  for (let leads = 0; leads < leadsMaximum; leads++) {
    const lead = { ...drawnValues(roll, leading), ...fixed }
    for (let tries = 0; tries < triesPerLead; tries++) {
      const variant = variantWith({ ...drawnValues(roll, names), ...drawnWay(roll), ...lead })
      if (exclusionOf(variant) === undefined) return variant
    }
  }
  throw new Error(`no variant in ${leadsMaximum * triesPerLead} tries with ${JSON.stringify(fixed)}`)
}

const names = Object.keys(dimensions) as Dimension[]

function drawnValues(roll: Dice, of: readonly Dimension[]): Partial<Variant> {
  return Object.fromEntries(
    of.map((name) => [
      name,
      roll(plainness) > 0 ? plainVariant[name] : pick<unknown>(roll, dimensions[name]),
    ]),
  ) as Partial<Variant>
}

/** Draws a way of submitting, by a script or as a document, with a matching response and route. */
function drawnWay(roll: Dice): Partial<Variant> {
  const isScript = roll(2) === 0
  return {
    refusal: pick(
      roll,
      dimensions.refusal.filter((value) => value.startsWith('fetch-') === isScript),
    ),
    route: pick(
      roll,
      dimensions.route.filter((value) => documentRoutes.includes(value) !== isScript),
    ),
  }
}

/** Draws one of several values. @throws RangeError if there are none */
function pick<T>(roll: Dice, values: readonly T[]): T {
  const value = values[roll(values.length)]
  if (value === undefined) throw new RangeError('nothing to choose from')
  return value
}
