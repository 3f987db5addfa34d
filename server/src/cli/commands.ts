import { backupCommand } from './backup.command.ts'
import type { Command } from './command.ts'
import { configCommand } from './config.command.ts'
import { demoCommand } from './demo.command.ts'
import { doctorCommand } from './doctor.command.ts'
import { exportCommand } from './export.command.ts'
import { importCommand } from './import.command.ts'
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys.command.ts'
import { orgAdd, orgList } from './org.command.ts'
import { restoreCommand } from './restore.command.ts'
import { serveCommand } from './serve.command.ts'
import { versionCommand } from './version.command.ts'

/** Every command of `muster`, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  keysCreate,
  keysList,
  keysRevoke,
  keysRotate,
  orgAdd,
  orgList,
  importCommand,
  exportCommand,
  demoCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  configCommand,
  versionCommand,
]
