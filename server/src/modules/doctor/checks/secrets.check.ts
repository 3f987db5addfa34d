import { existsSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { shellWord } from '@muster/contract/text/shell-word'
import type { Config } from '../../../kernel/config/config.ts'
import { type SettingName, settingNames, settingOf } from '../../../kernel/config/config-settings.ts'
import { maskUrlPassword } from '../../../kernel/lib/secrets/redact.ts'
import { masterKeyFile } from '../../../kernel/store/lifecycle/master-key.ts'
import { sqliteFile } from '../../../kernel/store/lifecycle/open.ts'
import { type DoctorCheck, fail, ok, warn } from '../doctor-check.ts'
import { isOpenToOthers } from '../file-access.ts'

/** Checks that no other user can read files with secrets. */
export const secretsCheck: DoctorCheck = {
  name: 'secrets',
  run: ({ config }) => {
    const { data } = config
    // Files in a folder that is closed to others are closed, whatever their own permissions.
    const isClosed = existsSync(data) && !isOpenToOthers(data)
    const open = secretFiles(config).filter(
      (path) => existsSync(path) && isOpenToOthers(path) && !(isClosed && path.startsWith(data + sep)),
    )
    if (open.length === 0)
      return [
        ok('No other user of this machine can read the keys, the database or the secrets in muster.toml.'),
      ]
    const isSevere = open.some((path) => (statSync(path).mode & 0o007) !== 0)
    const report = isSevere ? fail : warn
    const message = `Other users of this machine can read ${open.join(', ')}.`
    return [report(message, `chmod 600 ${open.map(shellWord).join(' ')}`)]
  },
}

function secretFiles(config: Config): string[] {
  const { data, tlsKey, eventsSyslogKey, configFile } = config
  return [
    masterKeyFile(data),
    sqliteFile(data),
    join(data, 'tls', 'self-signed.pem'),
    ...[tlsKey, eventsSyslogKey].filter((path) => path !== undefined),
    ...(configFile !== undefined && settingNames.some((name) => isSecretInFile(config, name))
      ? [configFile]
      : []),
  ]
}

/** True if the setting comes from muster.toml and contains a secret. */
function isSecretInFile(config: Config, name: SettingName): boolean {
  if (config.sources[name] !== 'muster.toml') return false
  const { secret } = settingOf(name)
  const value = config[name]
  return secret === 'whole' || (secret === 'password' && maskUrlPassword(String(value)) !== value)
}
