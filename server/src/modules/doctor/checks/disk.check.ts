import { existsSync, statfsSync, statSync } from 'node:fs'
import { sqliteFile } from '../../../kernel/store/lifecycle/open.ts'
import { type DoctorCheck, fail, ok, warn } from '../doctor-check.ts'
import { nearestExisting } from '../file-access.ts'

const mib = 1024 * 1024
const bytesToFail = 100 * mib
const bytesToWarn = 1024 * mib

/** Checks the free space on the disk of the data folder. */
export const diskCheck: DoctorCheck = {
  name: 'disk',
  run: ({ config: { data } }) => {
    const { bavail, bsize } = statfsSync(nearestExisting(data))
    const free = bavail * bsize
    const databaseBytes = existsSync(sqliteFile(data)) ? statSync(sqliteFile(data)).size : 0
    const message = `${Math.floor(free / mib)} MiB are free on the disk of ${data}`
    const advice = 'Free some space, or move the data folder to a larger disk.'
    if (free < bytesToFail) return [fail(`Only ${message}.`, advice)]
    if (free < bytesToWarn) return [warn(`Only ${message}.`, advice)]
    if (free < databaseBytes)
      return [
        warn(
          `${message}, less than the size of the database: a backup or a large import may not fit.`,
          advice,
        ),
      ]
    return [ok(`${message}.`)]
  },
}
