import { eventObjects, exampleEventOf } from '../../contract/src/events/event-objects.ts'
import type { StreamedEvent } from '../../server/src/modules/streams/formats/stream-line.ts'

/** Returns the ID of the sample event with a number. */
export const sampleEventId = (number: number): string =>
  `01937b5e-6c3a-7d21-9f4e-${String(number).padStart(12, '0')}`

/** Returns events of all objects in turn, in the form of the outbox, with numbered IDs. */
export const sampleEvents = (from: number, count: number): StreamedEvent[] =>
  Array.from({ length: count }, (_, index) => {
    const object = eventObjects[(from + index) % eventObjects.length] ?? 'LOGIN'
    const event = { ...exampleEventOf(object), id: sampleEventId(from + index) }
    return { body: JSON.stringify(event), organizationId: 'org-1' }
  })

/** Returns the IDs of sample events in lines. */
export const sampleIdsIn = (lines: readonly string[]): string[] =>
  lines.map((line) => /01937b5e-6c3a-7d21-9f4e-(?!2a8c5b7d1e90)\d{12}/.exec(line)?.[0] ?? line)
