import { createHash } from 'node:crypto'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'

/** Share of the catalog that people had tried before the simulation. */
const triedBefore = 0.8

/**
 * Returns the day from which people try a product, the same for everyone. Without it, a large company would discover the whole
 * catalog in its first week, and nothing new afterwards.
 */
export function introducedOn(appType: string, days: number): number {
  const fraction = createHash('sha256').update(appType).digest().readUInt32BE() / 2 ** 32
  return fraction < triedBefore ? 0 : Math.floor(((fraction - triedBefore) / (1 - triedBefore)) * days)
}

/** Share of the users of AI tools who used them before the simulation. */
const adoptedBefore = 0.35

/** Returns the day on which somebody starts to use an AI tool. Each week brings about as many new users as the one before. */
export const firstUseDay = (random: SeededRandom, days: number): number =>
  random.chance(adoptedBefore) ? 0 : random.below(days)
