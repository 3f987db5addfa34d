import { existsSync } from 'node:fs'
import { causeOf } from '../../../kernel/lib/cause-of.ts'
import { systemClock } from '../../../kernel/lib/clock.ts'
import { leakedRangeFile } from '../../credentials/leaked-range.service.ts'
import { rangeService } from '../../credentials/range.ts'
import { type DoctorCheck, fail, ok, warn } from '../doctor-check.ts'

/** Arbitrary prefix, so the service learns nothing about any password. */
const samplePrefix = '00000'

/** Checks that the configured leaked-password service answers, unless a loaded file replaces it. */
export const rangeCheck: DoctorCheck = {
  name: 'range',
  run: async ({ config: { rangeUrl, data } }) => {
    if (rangeUrl === undefined) return []
    if (existsSync(leakedRangeFile(data)))
      return [ok('Leaked passwords are looked up in the loaded file, not with MUSTER_RANGE_URL.')]
    // Only the host: the URL may contain a password.
    const { host } = new URL(rangeUrl)
    const advice =
      'Check that it runs, that MUSTER_RANGE_URL is the URL before the five digits, with user and password if needed, and that this machine trusts its certificate. Until then no leaked passwords are found.'
    try {
      const lines = await rangeService({ dataDir: data, rangeUrl, clock: systemClock }).lines(samplePrefix)
      // Lines with a count of 0 are padding that our service adds.
      return /:[1-9]/.test(lines ?? '')
        ? [ok(`The leaked-password service at ${host} answers.`)]
        : [warn(`The leaked-password service at ${host} has no entry for ${samplePrefix}.`, advice)]
    } catch (error) {
      return [fail(`The leaked-password service at ${host} cannot be used: ${causeOf(error)}.`, advice)]
    }
  },
}
