import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebhookEvent } from '@muster/contract/event-objects'

/** A text longer than this shows no more than a shorter one. */
const lengthMaximum = 4_000

/**
 * Keeps the first event of each object that a run causes, where `EVENT_SAMPLES` names a folder: the guide shows them
 * (`npm run event-samples`).
 */
export function keepSamples(events: readonly WebhookEvent[]): void {
  const folder = process.env.EVENT_SAMPLES
  if (!folder) return
  for (const event of events) {
    const text = `${JSON.stringify(event, null, 2)}\n`
    if (text.length > lengthMaximum) continue
    try {
      writeFileSync(join(folder, `${event.object}.json`), text, { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
