import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../../../kernel/config/config.ts'
import { keyFingerprint, parseMasterKey } from '../../../kernel/lib/secrets/secret.ts'
import { diagnoseStore, type StoreFacts } from '../../../kernel/store/lifecycle/diagnose.ts'
import { masterKeyFile } from '../../../kernel/store/lifecycle/master-key.ts'
import { StoreUnavailableError } from '../../../kernel/store/sql.ts'
import { isFull } from '../../../kernel/store/sqlite/sqlite-errors.ts'
import { type DoctorCheck, type Finding, fail, messageOf, named, ok, warn } from '../doctor-check.ts'

const clockToleranceSeconds = 5

/** Checks that the database is reachable, intact, writable and of the right version, and its master key and clock. */
export const databaseCheck: DoctorCheck = {
  name: 'database',
  run: async ({ config, nowMs }) => {
    const name = labelOf(config)
    let facts: StoreFacts | undefined
    try {
      facts = await diagnoseStore({ dataDir: config.data, databaseUrl: config.databaseUrl })
    } catch (error) {
      return [openFailure(config, name, error)]
    }
    if (facts === undefined) {
      return [
        warn(
          `There is no database in ${config.data} yet.`,
          'The first start of muster serve creates it. If your data is elsewhere, name the folder with --data.',
        ),
        named('master key', masterKeyFinding(config, undefined)),
      ]
    }
    return [
      schemaFinding(facts, name),
      named('integrity', integrityFinding(facts, name)),
      named('writable', writableFinding(config, facts, name)),
      named('master key', masterKeyFinding(config, facts.keyFingerprint)),
      ...clockFindings(facts, Math.floor(nowMs / 1000)).map((finding) => named('clock', finding)),
    ]
  },
}

/** Returns how messages name the database. */
const labelOf = ({ data, databaseUrl }: Config): string =>
  databaseUrl === undefined ? `The database in ${data}` : 'The PostgreSQL database of MUSTER_DATABASE_URL'

function openFailure({ databaseUrl }: Config, name: string, error: unknown): Finding {
  // On a full disk, SQLite cannot create the index of its write-ahead log and thus cannot open the file.
  if (isFull((error as { errcode?: number }).errcode ?? 0)) {
    const advice = 'Free some space, or move the data folder to a larger disk.'
    return named('writable', fail(`${name} takes no writes: the disk of the data folder is full.`, advice))
  }
  if (databaseUrl === undefined && error instanceof StoreUnavailableError)
    return fail(`${name} cannot be examined now: ${error.message}.`, 'Run muster doctor again afterwards.')
  // The message of an error with a known reason already says what to do.
  const hasReason = error instanceof StoreUnavailableError && error.reason !== undefined
  const advice = hasReason
    ? 'Then run muster doctor again.'
    : databaseUrl === undefined
      ? 'Restore the newest backup to another data folder: muster restore FILE --data DIR.'
      : 'Check that it runs, that its address, user and password are right, and that this machine may connect to it.'
  return fail(`${name} cannot be opened: ${messageOf(error)}.`, advice)
}

function schemaFinding({ schema, knownSchema, encoding }: StoreFacts, name: string): Finding {
  if (encoding !== undefined && encoding !== 'UTF8') {
    return fail(
      `${name} has the encoding ${encoding}, but must have UTF8: it cannot store every character.`,
      "Create another one with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8', and move the data with muster backup and muster restore.",
    )
  }
  if (schema > knownSchema) {
    return fail(
      `${name} has schema ${schema}, but this version of Muster supports schemas up to ${knownSchema}.`,
      'Start the newer version of Muster that wrote it.',
    )
  }
  if (schema < knownSchema) {
    return warn(
      `${name} has schema ${schema}; this version of Muster uses schema ${knownSchema}.`,
      encoding === undefined
        ? 'Make a backup; the next start of muster serve upgrades it.'
        : 'Make a backup with the version of Muster that wrote it, or with pg_dump; the next start of muster serve upgrades it.',
    )
  }
  return ok(`${name} is reachable and has schema ${schema}.`)
}

function integrityFinding({ problems, version }: StoreFacts, name: string): Finding {
  if (problems.length === 0) return ok(`${name} is intact (${version}).`)
  const advice = 'Stop the server and restore the newest backup: muster restore FILE --data DIR.'
  return fail(`${name} is damaged: ${problems[0]}.`, advice)
}

function writableFinding({ databaseUrl }: Config, { writable }: StoreFacts, name: string): Finding {
  if (writable === true) return ok(`${name} takes writes.`)
  return fail(
    `${name} takes no writes: ${writable}.`,
    databaseUrl === undefined
      ? 'If another process locks it, stop that process; otherwise check its permissions and the free space on its disk.'
      : 'Use the primary in MUSTER_DATABASE_URL, with a user that may own the database and its tables: ALTER DATABASE … OWNER TO ….',
  )
}

/** @param expected fingerprint of the master key that the database was used with; undefined if none yet */
function masterKeyFinding({ data, secretKey }: Config, expected: string | undefined): Finding {
  const file = masterKeyFile(data)
  const usesFile = secretKey === undefined && existsSync(file)
  const key = secretKey ?? (usesFile ? parseMasterKey(readFileSync(file, 'utf8').trim()) : undefined)
  if (usesFile && key === undefined) {
    const detail = expected === undefined ? '' : ` (the database uses the one with fingerprint ${expected})`
    return fail(
      `${file} does not hold a master key${detail}.`,
      'Restore the right key from a backup. If the database was never served, remove the file: the first start creates a key.',
    )
  }
  if (expected === undefined)
    return ok(key ? 'There is a master key.' : 'The first start creates the master key.')
  if (key !== undefined && keyFingerprint(key) === expected)
    return ok('The master key is the one that the database uses.')
  const problem =
    key === undefined ? 'The master key is missing' : 'The master key is not the one that the database uses'
  return fail(
    `${problem} (fingerprint ${expected}).`,
    `Put the right key into ${file}, or set MUSTER_SECRET_KEY. Backups contain it.`,
  )
}

function clockFindings({ newestSeconds, databaseSeconds }: StoreFacts, nowSeconds: number): Finding[] {
  const findings: Finding[] = []
  if (newestSeconds !== undefined && newestSeconds > nowSeconds + clockToleranceSeconds) {
    const newest = new Date(newestSeconds * 1000).toISOString()
    findings.push(
      fail(
        `This machine's clock is behind: the database has an entry from ${newest}.`,
        'Set the clock of this machine, preferably with NTP.',
      ),
    )
  }
  if (databaseSeconds !== undefined && Math.abs(databaseSeconds - nowSeconds) > clockToleranceSeconds) {
    findings.push(
      warn(
        `The database's clock differs from this machine's by ${Math.abs(databaseSeconds - nowSeconds)} seconds.`,
        'Synchronize both machines with NTP.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(`It is ${new Date(nowSeconds * 1000).toISOString()}.`)]
}
