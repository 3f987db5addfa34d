import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { masterKeyFile } from '../../storage/master-key.ts'
import { sqliteFile } from '../../storage/open.ts'
import { type CheckFinding, fail, messageOf, ok, warn } from './check-finding.ts'

const mib = 1024 * 1024
const bytesToFail = 100 * mib
const bytesToWarn = 1024 * mib

/** Whether the data folder can be written, is closed to others, and has room. */
export function checkFiles(config: Config): CheckFinding[] {
  return [...folderFindings(config.data), ...secretFindings(config), diskFinding(config)]
}

function folderFindings(folder: string): CheckFinding[] {
  if (!existsSync(folder)) {
    return [
      warn(
        'data folder',
        `There is no data folder ${folder} yet.`,
        'The first start makes it. If there should be one, name it with --data.',
      ),
    ]
  }
  const found: CheckFinding[] = []
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    found.push(
      fail(
        'data folder',
        `${folder} cannot be written: ${messageOf(error)}.`,
        'Give it to the user that runs Muster: chown -R.',
      ),
    )
  }
  if (isOpen(folder))
    found.push(
      warn('data folder', `${folder} can be read by other users of this machine.`, `chmod 700 ${folder}`),
    )
  return found.length > 0 ? found : [ok('data folder', `${folder} can be written, and only by its owner.`)]
}

/** Whether group or others have any right. Windows has no such bits. */
const isOpen = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

function secretFindings({ data, tlsKey }: Config): CheckFinding[] {
  const secrets = [
    masterKeyFile(data),
    sqliteFile(data),
    join(data, 'tls', 'self-signed.pem'),
    ...(tlsKey === undefined ? [] : [tlsKey]),
  ]
  // What lies in a folder that only its owner may enter is closed, whatever its own bits say.
  const closed = existsSync(data) && !isOpen(data)
  const open = secrets.filter(
    (path) => existsSync(path) && isOpen(path) && !(closed && path.startsWith(data)),
  )
  if (open.length === 0)
    return [ok('secrets', 'No other user of this machine can read the keys and the database.')]
  const severe = open.some((path) => (statSync(path).mode & 0o007) !== 0)
  const found = severe ? fail : warn
  return [
    found(
      'secrets',
      `Other users of this machine can read ${open.join(', ')}.`,
      `chmod 600 ${open.join(' ')}`,
    ),
  ]
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
