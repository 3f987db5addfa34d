import { backupsCheck } from './checks/backups.check.ts'
import { certificateCheck } from './checks/certificate.check.ts'
import { dataFolderCheck } from './checks/data-folder.check.ts'
import { databaseCheck } from './checks/database.check.ts'
import { diskCheck } from './checks/disk.check.ts'
import { eventReceiversCheck } from './checks/event-receivers.check.ts'
import { eventsFileCheck } from './checks/events-file.check.ts'
import { mailCheck } from './checks/mail.check.ts'
import { portsCheck } from './checks/ports.check.ts'
import { rangeCheck } from './checks/range.check.ts'
import { redisCheck } from './checks/redis.check.ts'
import { secretsCheck } from './checks/secrets.check.ts'
import { settingsCheck } from './checks/settings.check.ts'
import { signOnCheck } from './checks/sign-on.check.ts'
import type { DoctorCheck } from './doctor-check.ts'

/** Checks of `muster doctor`, in the order of its output. */
export const doctorChecks: readonly DoctorCheck[] = [
  settingsCheck,
  dataFolderCheck,
  secretsCheck,
  diskCheck,
  databaseCheck,
  backupsCheck,
  certificateCheck,
  redisCheck,
  eventsFileCheck,
  eventReceiversCheck,
  mailCheck,
  signOnCheck,
  rangeCheck,
  portsCheck,
]
