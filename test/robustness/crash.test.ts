import { expect, test } from 'vitest'
import { importCrash } from './crash-import.ts'
import { ingestCrash } from './crash-ingest.ts'
import { crashRound } from './crash-round.ts'
import { webhookCrash } from './crash-webhooks.ts'

// `npx node test/robustness/crash-by-hand.ts 20` runs more rounds, at random moments.

test.each([0, 150, 400])(
  'a server killed %i ms after the first write loses and duplicates nothing',
  async (killedAfterMs) => {
    const round = await crashRound(killedAfterMs)
    expect(round).toMatchObject({ lost: [], doubled: [], integrity: 'ok' })
    expect(round.repeated).toBeGreaterThan(0)
  },
)

test.each([700, 1200])(
  'an import killed after %i ms leaves an intact file and completes when run again',
  async (killedAfterMs) => {
    const round = await importCrash(killedAfterMs)
    expect(round).toMatchObject({ code: 0, records: 20_000, ids: 20_000, integrity: 'ok, ok' })
  },
  300_000,
)

test.each([0, 200, 600])(
  'a server killed %i ms after the first batch of events loses and duplicates no event',
  async (killedAfterMs) => {
    const round = await ingestCrash(killedAfterMs)
    expect(round).toMatchObject({ lost: [], doubled: [], integrity: 'ok' })
    expect(round.acknowledged).toBeGreaterThan(0)
  },
  300_000,
)

test('a server killed during deliveries loses no event and repeats only equal ones', async () => {
  const rounds = await Promise.all([0, 150, 500].map(webhookCrash))
  for (const round of rounds) {
    expect(round).toMatchObject({ lost: [], invented: [], altered: [], disordered: [], integrity: 'ok, ok' })
    expect(round.changes).toBeGreaterThan(0)
  }
}, 300_000)
