/** Reproducible pseudorandom numbers, for demo data and tests. */
export interface SeededRandom {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number
  /** Returns an integer from 0 to `below` − 1. */
  below(below: number): number
  /** Returns true with the given probability, from 0 to 1. */
  chance(probability: number): boolean
  /** Returns one item. @throws RangeError if there is none */
  pick<T>(items: readonly T[]): T
  /** Returns one item, with a probability by its weight. @throws RangeError if there is none */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T
  /** Returns `count` different items, or all if there are fewer, in their order. */
  sample<T>(items: readonly T[], count: number): T[]
  /** Returns a byte, 0–255, for `idSource`. */
  byte(): number
}

/**
 * Creates a source from a seed: sfc32 (C. Doty-Humphrey's Small Fast Counter, 128 bits of state), initialized by splitmix32
 * and 12 rounds, so similar seeds yield different numbers. Not for secrets.
 */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  let [a, b, c, counter] = [next(), next(), next(), 1]

  function bits(): number {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let round = 0; round < 12; round += 1) bits()

  const fraction = () => bits() / 2 ** 32
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (items) => at(items, below(items.length)),
    weighted(items) {
      const sum = items.reduce((before, { weight }) => before + weight, 0)
      let left = fraction() * sum
      const place = items.findIndex(({ weight }) => {
        left -= weight
        return left < 0
      })
      return at(items, place === -1 ? items.length - 1 : place)
    },
    sample(items, count) {
      let left = Math.min(count, items.length)
      return items.filter((_, at) => {
        const taken = fraction() * (items.length - at) < left
        if (taken) left -= 1
        return taken
      })
    },
    byte: () => bits() & 0xff,
  }
}

function at<T>(items: readonly T[], place: number): T {
  if (items.length === 0) throw new RangeError('there is nothing to pick from')
  return items[place] as T
}
