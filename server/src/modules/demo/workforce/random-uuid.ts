import { idSource } from '../../../kernel/lib/secrets/id.ts'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'

/** Returns a UUID version 4 from the random source: the same source gives the same IDs. */
export function randomUuid(random: SeededRandom): string {
  const hex = Array.from({ length: 16 }, () => random.byte().toString(16).padStart(2, '0')).join('')
  const variant = '89ab'[random.below(4)]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Returns a source of event IDs: UUIDs version 7 with the second of the event. */
export function eventIds(random: SeededRandom): (seconds: number) => string {
  const idAt = idSource(random.byte)
  return (seconds) => idAt(seconds * 1000 + random.below(1000))
}
