import { eventObjects, exampleEventOf } from '../../contract/src/event-objects.ts'
import type { StreamedEvent } from '../../server/src/modules/streams/formats/stream-line.ts'

/** The id of the event with a number. */
export const sampleEventId = (number: number): string =>
  `01937b5e-6c3a-7d21-9f4e-${String(number).padStart(12, '0')}`

/** Events of every object, one after the other, as the outbox has them, with ids that say which they are. */
export const sampleEvents = (from: number, count: number): StreamedEvent[] =>
  Array.from({ length: count }, (_, index) => {
    const object = eventObjects[(from + index) % eventObjects.length] ?? 'LOGIN'
    const event = { ...exampleEventOf(object), id: sampleEventId(from + index) }
    return { body: JSON.stringify(event), organizationId: 'org-1' }
  })

/** The ids of sample events that a text has, in its order. */
export const sampleIdsIn = (lines: readonly string[]): string[] =>
  lines.map((line) => /01937b5e-6c3a-7d21-9f4e-(?!2a8c5b7d1e90)\d{12}/.exec(line)?.[0] ?? line)
