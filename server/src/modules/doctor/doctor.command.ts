import { type CommandContext, defineCommand } from '../../kernel/cli/command.ts'
import type { Config } from '../../kernel/config/config.ts'
import { settingNames } from '../../kernel/config/config-settings.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { ConfigError } from '../../kernel/lib/config-error.ts'
import { checkCertificate } from './check-certificate.ts'
import { checkFiles } from './check-files.ts'
import { type CheckFinding, fail, messageOf, ok } from './check-finding.ts'
import { checkMail } from './check-mail.ts'
import { checkPorts, checkRedis } from './check-network.ts'
import { checkServable } from './check-servable.ts'
import { checkRange, checkSignOn } from './check-services.ts'
import { checkStore } from './check-store.ts'
import { checkStreams } from './check-streams.ts'

/** `muster doctor` */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check settings, database, certificate, disk and clock, and say what to do',
  json: true,
  settings: settingNames.filter((name) => !['data', 'databaseUrl', 'secretKey'].includes(name)),
  options: {},
  details: `Changes nothing, and can run beside a server. The exit code is 1 if anything fails.

Examples:
  muster doctor
  muster doctor --json --data /var/lib/muster`,
  async run(context) {
    const findings = await examine(context)
    const failed = findings.some(({ state }) => state === 'fail')
    if (context.json) context.printJson({ ok: !failed, checks: findings })
    else for (const finding of findings) show(context, finding)
    return failed ? 1 : 0
  },
})

async function examine(context: CommandContext): Promise<CheckFinding[]> {
  let config: Config
  try {
    config = context.config()
    checkServable(config)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.mistakes.map((mistake) =>
      fail('settings', mistake, 'Correct it, then ask again: the other checks need the settings.'),
    )
  }
  const nowMs = systemClock.nowMs()
  const checks = [
    async () => [
      ok(
        'settings',
        config.configFile === undefined
          ? 'The settings are right.'
          : `The settings are right; ${config.configFile} was read.`,
      ),
    ],
    async () => checkFiles(config),
    () => checkStore(config, Math.floor(nowMs / 1000)),
    async () => checkCertificate(config, nowMs),
    () => checkRedis(config),
    () => checkStreams(config),
    () => checkMail(config),
    () => checkSignOn(config),
    () => checkRange(config),
    () => checkPorts(config),
  ]
  const findings: CheckFinding[] = []
  for (const check of checks) findings.push(...(await check().catch(broken)))
  return findings
}

/** A check that fails itself must not keep the others from being made. */
const broken = (error: unknown): CheckFinding[] => [
  fail(
    'doctor',
    `A check could not be made: ${messageOf(error)}.`,
    'Run muster doctor as the user that runs the server.',
  ),
]

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const

function show(context: CommandContext, { check, state, message, advice }: CheckFinding): void {
  context.print(`${marks[state]}  ${check.padEnd(12)}  ${message}`)
  if (advice !== undefined) context.print(`${' '.repeat(20)}${advice}`)
}
