import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebhookEvent } from '@muster/contract/events/event-objects'

/** Maximum length of a sample; longer ones show nothing more. */
const lengthMaximum = 4_000

/**
 * Saves the first event of each object of a test run in the folder `EVENT_SAMPLES`, for the guide (`npm run
 * event-samples`).
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
