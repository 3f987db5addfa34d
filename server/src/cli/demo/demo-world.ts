import { idSource } from '../../lib/id.ts'
import { type SeededRandom, seededRandom } from '../../lib/seeded-random.ts'

/** What everything that is made up is made from: the same world gives the same data, byte by byte. */
export interface DemoWorld {
  readonly random: SeededRandom
  readonly nowSeconds: number
  /** Where the console is: detections link to it. */
  readonly publicUrl: string
  /** An id of something created then. */
  idAt(seconds: number): string
  /** A moment up to so many days ago, more often lately. */
  lately(days: number): number
  /** A moment between two others. */
  between(fromSeconds: number, toSeconds: number): number
}

/** The mail domain of the made-up company, and of the smaller one that it bought. */
export const demoDomain = 'northgate.example'
export const boughtDomain = 'fernhill.example'

export const daySeconds = 86_400

/** @param seed any whole number */
export function demoWorld(seed: number, nowSeconds: number, publicUrl: string): DemoWorld {
  const random = seededRandom(seed)
  return {
    random,
    nowSeconds,
    publicUrl,
    idAt: (seconds) => idSource(random.byte)(seconds * 1000),
    lately: (days) => nowSeconds - 60 - Math.floor(random.fraction() ** 2 * days * daySeconds),
    between: (from, to) => from + Math.floor(random.fraction() * Math.max(0, to - from)),
  }
}

/** Oldest first, as lists show them. */
export const byCreation = <T extends { creationTimestamp: number; id: string }>(records: readonly T[]): T[] =>
  [...records].sort(
    (one, other) => one.creationTimestamp - other.creationTimestamp || (one.id < other.id ? -1 : 1),
  )
