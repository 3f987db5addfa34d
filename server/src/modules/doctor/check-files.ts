import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { shellWord } from '../../kernel/cli/shell-word.ts'
import type { Config } from '../../kernel/config/config.ts'
import { type SettingName, settingNames, settingOf } from '../../kernel/config/config-settings.ts'
import { maskUrlPassword } from '../../kernel/lib/secrets/redact.ts'
import { masterKeyFile } from '../../kernel/store/lifecycle/master-key.ts'
import { sqliteFile } from '../../kernel/store/lifecycle/open.ts'
import { type CheckFinding, fail, messageOf, ok, warn } from './check-finding.ts'

const mib = 1024 * 1024
const bytesToFail = 100 * mib
const bytesToWarn = 1024 * mib

/** Whether the data folder can be written, is closed to others, and has room. */
export function checkFiles(config: Config): CheckFinding[] {
  return [...folderFindings(config.data), ...secretFindings(config), diskFinding(config)]
}

function folderFindings(folder: string): CheckFinding[] {
  if (!existsSync(folder)) return [missingFolder(folder)]
  if (!statSync(folder).isDirectory())
    return [fail('data folder', `${folder} is a file, not a folder.`, 'Name a folder with --data.')]
  const found: CheckFinding[] = []
  const closed = unwritable(folder)
  if (closed !== undefined) {
    const advice = 'Give it to the user that runs Muster: chown -R.'
    found.push(fail('data folder', `${folder} cannot be written: ${closed}.`, advice))
  }
  if (isOpen(folder))
    found.push(
      warn(
        'data folder',
        `${folder} can be read by other users of this machine.`,
        `chmod 700 ${shellWord(folder)}`,
      ),
    )
  return found.length > 0 ? found : [ok('data folder', `${folder} can be written, and only by its owner.`)]
}

function missingFolder(folder: string): CheckFinding {
  const above = existing(folder)
  const closed = statSync(above).isDirectory() ? unwritable(above) : `${above} is a file`
  return closed === undefined
    ? warn(
        'data folder',
        `There is no data folder ${folder} yet.`,
        'The first start makes it. If there should be one, name it with --data.',
      )
    : fail(
        'data folder',
        `There is no data folder ${folder}, and it cannot be made: ${closed}.`,
        'Make it for the user that runs Muster, or name another one with --data.',
      )
}

/** Why this user cannot make files in the folder; undefined if it can. */
function unwritable(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Whether group or others have any right. Windows has no such bits. */
const isOpen = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

function secretFindings(config: Config): CheckFinding[] {
  const { data, tlsKey, eventsSyslogKey, configFile } = config
  const secrets = [
    masterKeyFile(data),
    sqliteFile(data),
    join(data, 'tls', 'self-signed.pem'),
    ...[tlsKey, eventsSyslogKey].filter((path) => path !== undefined),
    ...(configFile !== undefined && settingNames.some((name) => isSecretOfFile(config, name))
      ? [configFile]
      : []),
  ]
  // What lies in a folder that only its owner may enter is closed, whatever its own bits say.
  const closed = existsSync(data) && !isOpen(data)
  const open = secrets.filter(
    (path) => existsSync(path) && isOpen(path) && !(closed && path.startsWith(data + sep)),
  )
  if (open.length === 0)
    return [
      ok(
        'secrets',
        'No other user of this machine can read the keys, the database and the secrets of muster.toml.',
      ),
    ]
  const severe = open.some((path) => (statSync(path).mode & 0o007) !== 0)
  const found = severe ? fail : warn
  return [
    found(
      'secrets',
      `Other users of this machine can read ${open.join(', ')}.`,
      `chmod 600 ${open.map(shellWord).join(' ')}`,
    ),
  ]
}

/** Whether muster.toml gives the setting, and there is something in it that nobody else should read. */
function isSecretOfFile(config: Config, name: SettingName): boolean {
  if (config.sources[name] !== 'muster.toml') return false
  const { secret } = settingOf(name)
  const value = config[name]
  return secret === 'whole' || (secret === 'password' && maskUrlPassword(String(value)) !== value)
}

function diskFinding({ data }: Config): CheckFinding {
  const { bavail, bsize } = statfsSync(existing(data))
  const free = bavail * bsize
  const database = existsSync(sqliteFile(data)) ? statSync(sqliteFile(data)).size : 0
  const told = `${Math.floor(free / mib)} MiB are free on the disk of ${data}`
  const advice = 'Free some, or move the data folder to a larger disk.'
  if (free < bytesToFail) return fail('disk', `Only ${told}.`, advice)
  if (free < bytesToWarn) return warn('disk', `Only ${told}.`, advice)
  if (free < database)
    return warn(
      'disk',
      `${told}, less than the database has: a backup or a large import may not fit.`,
      advice,
    )
  return ok('disk', `${told}.`)
}

/** The path, or the nearest folder above it that is there. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))
