import { defineCommand } from '../kernel/cli/command.ts'
import { describeConfig, type SettingInEffect } from '../kernel/config/config.ts'
import { settingNames } from '../kernel/config/config-settings.ts'
import { causeOf } from '../kernel/lib/cause-of.ts'
import { configsInEffect } from '../modules/settings/organization-configs.ts'

/** `muster config` */
export const configCommand = defineCommand({
  name: 'config',
  summary: 'Print the effective settings and their sources, without secrets',
  options: {},
  settings: settingNames.filter((name) => !['data', 'databaseUrl', 'secretKey'].includes(name)),
  json: true,
  details: `Precedence: flag, environment, muster.toml, console, default. Settings from the console are those of the first
organization; other organizations that have their own follow.`,
  async run(context) {
    const operator = context.config()
    const { config, others } = await configsInEffect(operator).catch((error: unknown) => {
      context.note(
        `Settings from the console are missing, because the database cannot be read: ${causeOf(error)}`,
      )
      return { config: operator, others: [] }
    })
    const shown = describeConfig(config)
    const organizations = others.map((other) => ({
      organization: other.organization,
      settings: describeConfig(other.config).filter(({ source }) => source === 'console'),
    }))
    if (context.json) {
      context.printJson({ configFile: config.configFile ?? null, settings: shown, organizations })
      return
    }
    for (const line of lines(shown)) context.print(line)
    for (const { organization, settings } of organizations) {
      context.print('')
      context.print(`Organization ${organization}:`)
      for (const line of lines(settings)) context.print(line)
    }
    context.note(`muster.toml: ${config.configFile ?? 'none'}`)
  },
})

/** Returns one line for each setting. */
function lines(shown: readonly SettingInEffect[]): string[] {
  const nameWidth = Math.max(...shown.map(({ environment }) => environment.length))
  const sourceWidth = Math.max(...shown.map(({ source }) => source.length))
  return shown.map(({ environment, source, value }) => {
    const text = value === null ? '' : Array.isArray(value) ? value.join(',') : String(value)
    return `${environment.padEnd(nameWidth)}  ${source.padEnd(sourceWidth)}  ${text}`.trimEnd()
  })
}
