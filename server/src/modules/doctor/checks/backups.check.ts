import { listBackups } from '../../backup/scheduled-backups.ts'
import { type DoctorCheck, fail, ok, warn } from '../doctor-check.ts'
import { nearestExisting, whyNotWritable } from '../file-access.ts'

const hourSeconds = 3600

/** Checks that scheduled backups can be written, and that the newest is not too old. */
export const backupsCheck: DoctorCheck = {
  name: 'backups',
  run: async ({ config: { backupFolder: folder, backupEveryHours: everyHours }, nowMs }) => {
    if (folder === undefined) return []
    const existing = nearestExisting(folder)
    const reason = whyNotWritable(existing)
    if (reason !== undefined)
      return [
        fail(
          `Backups cannot be written to ${folder}: ${reason}.`,
          'Let this user write there, or change MUSTER_BACKUP_FOLDER.',
        ),
      ]
    const [newest] = existing === folder ? await listBackups(folder) : []
    if (newest === undefined)
      return [ok(`Backups can be written to ${folder}. The server makes the first one when it starts.`)]
    const hours = Math.floor((nowMs / 1000 - newest.createdSeconds) / hourSeconds)
    const text = `The newest backup is ${newest.name}, ${hours} hours old`
    if (hours > 2 * everyHours)
      return [
        warn(`${text}.`, 'The server makes a new one when it starts. Its log says why the last ones failed.'),
      ]
    return [ok(`${text}; one is made every ${everyHours} hours.`)]
  },
}
