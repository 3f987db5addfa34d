import { adminInvite, adminList, adminRemove, adminResetPassword } from './admin.ts'
import { apiDeprecate, apiStatus } from './api.command.ts'
import { auditExport, auditList, auditVerify } from './audit.command.ts'
import { backupCommand } from './backup.command.ts'
import { browsersRevoke } from './browsers.command.ts'
import { catalogueAdd, catalogueList, catalogueRemove } from './catalogue.command.ts'
import type { Command } from './command.ts'
import { configCommand } from './config.command.ts'
import { controlsSet, controlsShow } from './controls.command.ts'
import { demoCommand } from './demo.command.ts'
import { doctorCommand } from './doctor.command.ts'
import { employeeErase } from './employee.command.ts'
import {
  enrolmentTokensCreate,
  enrolmentTokensList,
  enrolmentTokensRevoke,
} from './enrolment-tokens.command.ts'
import { exportCommand } from './export.command.ts'
import { importCommand } from './import.command.ts'
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys.command.ts'
import { noticesList, noticesResend } from './notices.command.ts'
import { orgAdd, orgList } from './org.command.ts'
import { rangeLoad } from './range.command.ts'
import { replayCommand } from './replay.command.ts'
import { restoreCommand } from './restore.command.ts'
import { serveCommand } from './serve.command.ts'
import { versionCommand } from './version.command.ts'
import { webhooksLog, webhooksReplay, webhooksTest } from './webhook-log.command.ts'
import {
  webhooksAdd,
  webhooksDisable,
  webhooksEnable,
  webhooksList,
  webhooksRemove,
  webhooksRotate,
} from './webhooks.command.ts'

/** Every command of `muster`, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  keysCreate,
  keysList,
  keysRevoke,
  keysRotate,
  adminInvite,
  adminList,
  adminResetPassword,
  adminRemove,
  orgAdd,
  orgList,
  apiDeprecate,
  apiStatus,
  noticesList,
  noticesResend,
  enrolmentTokensCreate,
  enrolmentTokensList,
  enrolmentTokensRevoke,
  browsersRevoke,
  controlsShow,
  controlsSet,
  catalogueList,
  catalogueAdd,
  catalogueRemove,
  auditList,
  auditVerify,
  auditExport,
  rangeLoad,
  webhooksAdd,
  webhooksList,
  webhooksTest,
  webhooksLog,
  webhooksReplay,
  webhooksRotate,
  webhooksDisable,
  webhooksEnable,
  webhooksRemove,
  employeeErase,
  replayCommand,
  importCommand,
  exportCommand,
  demoCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  configCommand,
  versionCommand,
]
