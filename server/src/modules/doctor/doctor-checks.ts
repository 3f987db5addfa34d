import { certificateCheck } from './checks/certificate.ts'
import { dataFolderCheck } from './checks/data-folder.ts'
import { databaseCheck } from './checks/database.ts'
import { diskCheck } from './checks/disk.ts'
import { eventsFileCheck } from './checks/events-file.ts'
import { mailCheck } from './checks/mail.ts'
import { portsCheck } from './checks/ports.ts'
import { rangeCheck } from './checks/range.ts'
import { redisCheck } from './checks/redis.ts'
import { secretsCheck } from './checks/secrets.ts'
import { settingsCheck } from './checks/settings.ts'
import { signOnCheck } from './checks/sign-on.ts'
import { syslogCheck } from './checks/syslog.ts'
import type { DoctorCheck } from './doctor-check.ts'

/** Checks of `muster doctor`, in the order of its output. */
export const doctorChecks: readonly DoctorCheck[] = [
  settingsCheck,
  dataFolderCheck,
  secretsCheck,
  diskCheck,
  databaseCheck,
  certificateCheck,
  redisCheck,
  eventsFileCheck,
  syslogCheck,
  mailCheck,
  signOnCheck,
  rangeCheck,
  portsCheck,
]
