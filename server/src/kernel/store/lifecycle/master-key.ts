import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../lib/config-error.ts'
import { makeFolder } from '../../lib/process/make-folder.ts'
import { renameExclusively } from '../../lib/process/rename-exclusively.ts'
import { writeAll } from '../../lib/process/write-all.ts'
import { keyFingerprint, newMasterKey, parseMasterKey } from '../../lib/secrets/secret.ts'
import type { Db } from '../sql.ts'

/** Where the master key is kept unless it is given as a setting. */
export const masterKeyFile = (dataDir: string): string => join(dataDir, 'muster.key')

const fingerprintSetting = 'master_key_fingerprint'

/**
 * Gives the master key of the deployment: the one that is set, else the one in the data directory, else
 * a new one that is kept there. The database remembers its fingerprint.
 *
 * @throws ConfigError when the database belongs to another key, or the file holds none.
 */
export async function openMasterKey(
  db: Db,
  options: { dataDir: string; secretKey?: Buffer | undefined },
): Promise<Buffer> {
  const known = await readFingerprint(db)
  const key =
    options.secretKey ??
    readKeyFile(options.dataDir) ??
    (known === undefined ? makeKeyFile(options.dataDir) : undefined)
  if (key === undefined || (known !== undefined && known !== keyFingerprint(key)))
    throw wrongKey(options.dataDir, known ?? '')
  if (known === undefined) {
    const kept = await db.inTransaction(async (tx) => {
      const row = [fingerprintSetting, keyFingerprint(key)]
      await tx.insert('settings', ['name', 'value'], [row], 'ON CONFLICT DO NOTHING')
      return tx.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [fingerprintSetting])
    })
    if (kept?.value !== keyFingerprint(key)) throw wrongKey(options.dataDir, kept?.value ?? '')
  }
  return key
}

async function readFingerprint(db: Db): Promise<string | undefined> {
  return (await db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [fingerprintSetting]))
    ?.value
}

const wrongKey = (dataDir: string, fingerprint: string): ConfigError =>
  new ConfigError([
    `This database belongs to the master key with the fingerprint ${fingerprint}, which is not the one here. ` +
      `Put that key into ${masterKeyFile(dataDir)}, or set MUSTER_SECRET_KEY; processes that share a database share the key.`,
  ])

function readKeyFile(dataDir: string): Buffer | undefined {
  const path = masterKeyFile(dataDir)
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
  const key = parseMasterKey(text)
  if (key) return key
  throw new ConfigError([
    `${path} does not hold a master key: it must be 43 characters of base64url, or 64 hexadecimal digits.`,
  ])
}

/** The file gets its name when it is whole and on the disk: of one that is empty nothing could start. */
function makeKeyFile(dataDir: string): Buffer {
  makeFolder(dataDir)
  const key = newMasterKey()
  const path = masterKeyFile(dataDir)
  const draft = `${path}.${randomUUID()}`
  try {
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeAll(file, Buffer.from(`${key.toString('base64url')}\n`))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameExclusively(draft, path)
    return key
  } catch (error) {
    // Another process that starts at the same moment was first: its key counts.
    const made = (error as { code?: string }).code === 'EEXIST' ? readKeyFile(dataDir) : undefined
    if (made) return made
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
