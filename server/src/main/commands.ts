import type { Command } from '../kernel/cli/command.ts'

/**
 * All commands of `muster` by first word, in the order of the help. Loaded on demand, so the server does not keep code in
 * memory that only other commands need.
 */
const groups: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  serve: async () => [(await import('./serve.command.ts')).serveCommand],
  keys: async () => {
    const { keysCreate, keysList, keysRevoke, keysRotate } = await import(
      '../modules/api-keys/keys.command.ts'
    )
    return [keysCreate, keysList, keysRevoke, keysRotate]
  },
  admin: async () => {
    const { adminInvite, adminList, adminRemove, adminResetPassword } = await import(
      '../modules/administrators/admin.command.ts'
    )
    return [adminInvite, adminList, adminResetPassword, adminRemove]
  },
  org: async () => {
    const { orgAdd, orgList } = await import('../modules/organizations/org.command.ts')
    const { orgRemove } = await import('../modules/organizations/org-remove.command.ts')
    return [orgAdd, orgList, orgRemove]
  },
  api: async () => {
    const { apiDeprecate, apiStatus } = await import('../modules/api-versions/api.command.ts')
    return [apiDeprecate, apiStatus]
  },
  notices: async () => {
    const { noticesList, noticesResend } = await import('../modules/notices/notices.command.ts')
    return [noticesList, noticesResend]
  },
  'enrollment-tokens': async () => {
    const tokens = await import('../modules/agents/enrollment-tokens.command.ts')
    return [tokens.enrollmentTokensCreate, tokens.enrollmentTokensList, tokens.enrollmentTokensRevoke]
  },
  browsers: async () => [(await import('../modules/browsers/browsers.command.ts')).browsersRevoke],
  controls: async () => {
    const { controlsSet, controlsShow } = await import('../modules/controls/controls.command.ts')
    return [controlsShow, controlsSet]
  },
  catalog: async () => {
    const { catalogAdd, catalogList, catalogRemove } = await import('../modules/catalog/catalog.command.ts')
    return [catalogList, catalogAdd, catalogRemove]
  },
  audit: async () => {
    const { auditExport, auditList, auditVerify } = await import('../modules/audit/audit.command.ts')
    return [auditList, auditVerify, auditExport]
  },
  range: async () => [(await import('../modules/credentials/range.command.ts')).rangeLoad],
  incidents: async () => [(await import('../modules/incidents/incidents.command.ts')).incidentsList],
  webhooks: async () => {
    const webhooks = await import('../modules/webhooks/webhooks.command.ts')
    const log = await import('../modules/webhooks/webhook-log.command.ts')
    return [
      webhooks.webhooksAdd,
      webhooks.webhooksList,
      log.webhooksTest,
      log.webhooksLog,
      log.webhooksReplay,
      webhooks.webhooksRotate,
      webhooks.webhooksDisable,
      webhooks.webhooksEnable,
      webhooks.webhooksRemove,
    ]
  },
  alerts: async () => {
    const alerts = await import('../modules/alerts/alerts.command.ts')
    const log = await import('../modules/alerts/alert-log.command.ts')
    return [
      alerts.alertsAdd,
      alerts.alertsSet,
      alerts.alertsList,
      log.alertsTest,
      log.alertsLog,
      alerts.alertsDisable,
      alerts.alertsEnable,
      alerts.alertsRemove,
    ]
  },
  employee: async () => [
    (await import('../modules/offboarding/offboard.command.ts')).employeeOffboard,
    (await import('../modules/personal-data/employee-export.command.ts')).employeeExport,
    (await import('../modules/employees/employee.command.ts')).employeeErase,
  ],
  scim: async () => {
    const tokens = await import('../modules/scim/scim.command.ts')
    return [tokens.scimTokenCreate, tokens.scimTokenList, tokens.scimTokenRevoke]
  },
  report: async () => [(await import('../modules/trends/report.command.ts')).reportCommand],
  retention: async () => [(await import('../modules/maintenance/retention.command.ts')).retentionPreview],
  replay: async () => [(await import('../modules/ingest/replay.command.ts')).replayCommand],
  import: async () => [(await import('../modules/transfer/import.command.ts')).importCommand],
  export: async () => [(await import('../modules/transfer/export.command.ts')).exportCommand],
  demo: async () => [(await import('../modules/demo/demo.command.ts')).demoCommand],
  backup: async () => [(await import('../modules/backup/backup.command.ts')).backupCommand],
  restore: async () => [(await import('../modules/backup/restore.command.ts')).restoreCommand],
  doctor: async () => [(await import('../modules/doctor/doctor.command.ts')).doctorCommand],
  config: async () => [(await import('./config.command.ts')).configCommand],
  mcp: async () => [(await import('./mcp.command.ts')).mcpCommand],
  version: async () => [(await import('./version.command.ts')).versionCommand],
}

/** Returns the commands whose first word is given, or all commands if there are none. */
export async function commandsOf(word = ''): Promise<readonly Command[]> {
  const matching = Object.entries(groups).filter(([first]) => first === word)
  const loads = (matching.length > 0 ? matching : Object.entries(groups)).map(([, load]) => load())
  return (await Promise.all(loads)).flat()
}

/** Other names of commands. The British spellings are former names, accepted for one release. */
const aliases: Readonly<Record<string, string>> = {
  catalogue: 'catalog',
  'enrolment-tokens': 'enrollment-tokens',
  '--version': 'version',
}

/** Returns the words of a command line with the current name of the command. */
export function currentWords([first, ...rest]: readonly string[]): readonly string[] {
  return first === undefined ? [] : [aliases[first] ?? first, ...rest]
}
