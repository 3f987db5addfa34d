import { expect, test } from 'vitest'
import { crashRound } from './crash-round.ts'

/** Some at the very start, some in full swing. `node test/robustness/crash-by-hand.ts` runs more of them. */
const moments = [0, 150, 400]

test.each(moments)(
  'a server that is killed %i ms after the first write loses and doubles nothing',
  async (killedAfterMs) => {
    const round = await crashRound(killedAfterMs)
    expect(round).toMatchObject({ lost: [], doubled: [], integrity: 'ok' })
    expect(round.repeated).toBeGreaterThan(0)
  },
)
