import { type CommandContext, defineCommand } from '../../kernel/cli/command.ts'
import { settingNames } from '../../kernel/config/config-settings.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import type { NamedFinding } from './doctor-check.ts'
import { doctorChecks } from './doctor-checks.ts'
import { runChecks } from './run-checks.ts'

/** `muster doctor` */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check settings, database, certificate, disk and clock, and advise on problems',
  json: true,
  settings: settingNames.filter((name) => !['data', 'databaseUrl', 'secretKey'].includes(name)),
  options: {},
  details: `Changes nothing, and can run beside a server. The exit code is 1 if a check fails.

Examples:
  muster doctor
  muster doctor --json --data /var/lib/muster`,
  async run(context) {
    const findings = await runChecks(doctorChecks, () => context.config(), systemClock.nowMs())
    const failed = findings.some(({ state }) => state === 'fail')
    if (context.json) context.printJson({ ok: !failed, checks: findings })
    else for (const finding of findings) printFinding(context, finding)
    return failed ? 1 : 0
  },
})

const labels = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const

function printFinding(context: CommandContext, { check, state, message, advice }: NamedFinding): void {
  context.print(`${labels[state]}  ${check.padEnd(12)}  ${message}`)
  if (advice !== undefined) context.print(`${' '.repeat(20)}${advice}`)
}
