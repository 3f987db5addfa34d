import { defineCommand } from '../kernel/cli/command.ts'
import { describeConfig, type SettingInEffect } from '../kernel/config/config.ts'
import { settingNames } from '../kernel/config/config-settings.ts'

/** `muster config` */
export const configCommand = defineCommand({
  name: 'config',
  summary: 'Print the effective settings and their sources, without secrets',
  options: {},
  settings: settingNames.filter((name) => !['data', 'databaseUrl', 'secretKey'].includes(name)),
  json: true,
  details: 'Precedence: flag, environment, muster.toml, default.',
  async run(context) {
    const config = context.config()
    const shown = describeConfig(config)
    if (context.json) {
      context.printJson({ configFile: config.configFile ?? null, settings: shown })
      return
    }
    for (const line of lines(shown)) context.print(line)
    context.note(`muster.toml: ${config.configFile ?? 'none'}`)
  },
})

function lines(shown: readonly SettingInEffect[]): string[] {
  const nameWidth = Math.max(...shown.map(({ environment }) => environment.length))
  const sourceWidth = Math.max(...shown.map(({ source }) => source.length))
  return shown.map(({ environment, source, value }) => {
    const text = value === null ? '' : Array.isArray(value) ? value.join(',') : String(value)
    return `${environment.padEnd(nameWidth)}  ${source.padEnd(sourceWidth)}  ${text}`.trimEnd()
  })
}
