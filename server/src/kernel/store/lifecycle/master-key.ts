import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../lib/config-error.ts'
import { makeFolder } from '../../lib/process/make-folder.ts'
import { renameExclusively } from '../../lib/process/rename-exclusively.ts'
import { writeAll } from '../../lib/process/write-all.ts'
import { keyFingerprint, newMasterKey, parseMasterKey } from '../../lib/secrets/secret.ts'
import type { Db } from '../sql.ts'

/** Returns the path of the master key, which is used unless a setting provides the key. */
export const masterKeyFile = (dataDir: string): string => join(dataDir, 'muster.key')

const fingerprintSetting = 'master_key_fingerprint'

/**
 * Returns the master key of the deployment: from the setting, from the data directory, or a new one that is stored there. The
 * database stores its fingerprint.
 *
 * @throws ConfigError if the database belongs to another key, or the file is invalid
 */
export async function openMasterKey(
  db: Db,
  options: { dataDir: string; secretKey?: Buffer | undefined },
): Promise<Buffer> {
  const known = await readFingerprint(db)
  const key =
    options.secretKey ??
    readKeyFile(options.dataDir) ??
    (known === undefined ? createKeyFile(options.dataDir) : undefined)
  if (key === undefined || (known !== undefined && known !== keyFingerprint(key)))
    throw wrongKey(options.dataDir, known ?? '')
  if (known === undefined) {
    const stored = await db.inTransaction(async (tx) => {
      const row = [fingerprintSetting, keyFingerprint(key)]
      await tx.insert('settings', ['name', 'value'], [row], 'ON CONFLICT DO NOTHING')
      return tx.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [fingerprintSetting])
    })
    if (stored?.value !== keyFingerprint(key)) throw wrongKey(options.dataDir, stored?.value ?? '')
  }
  return key
}

/**
 * Returns the master key of the setting or the data directory; undefined if there is none. Creates nothing.
 *
 * @throws ConfigError if the file is invalid
 */
export const existingMasterKey = (options: {
  dataDir: string
  secretKey?: Buffer | undefined
}): Buffer | undefined => options.secretKey ?? readKeyFile(options.dataDir)

async function readFingerprint(db: Db): Promise<string | undefined> {
  return (await db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [fingerprintSetting]))
    ?.value
}

const wrongKey = (dataDir: string, fingerprint: string): ConfigError =>
  new ConfigError([
    `The database was created with another master key (fingerprint ${fingerprint}). ` +
      `Put that key into ${masterKeyFile(dataDir)}, or set MUSTER_SECRET_KEY. All processes that share a database need the same key.`,
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
    `${path} does not contain a master key: expected 43 characters of base64url, or 64 hexadecimal digits.`,
  ])
}

/** Writes the key to a temporary file and renames it once it is on the disk. An empty key file would prevent every start. */
function createKeyFile(dataDir: string): Buffer {
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
    // Another process started at the same time and was first; use its key.
    const existing = (error as { code?: string }).code === 'EEXIST' ? readKeyFile(dataDir) : undefined
    if (existing) return existing
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
