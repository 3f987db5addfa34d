import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../../kernel/config/config.ts'
import { keyFingerprint, parseMasterKey } from '../../kernel/lib/secrets/secret.ts'
import { diagnoseStore, type StoreFacts } from '../../kernel/store/lifecycle/diagnose.ts'
import { masterKeyFile } from '../../kernel/store/lifecycle/master-key.ts'
import { unreleasedSchemaAdvice } from '../../kernel/store/lifecycle/migrate.ts'
import { StoreUnavailableError } from '../../kernel/store/sql.ts'
import { isFull } from '../../kernel/store/sqlite/sqlite-errors.ts'
import { type CheckFinding, fail, messageOf, ok, warn } from './check-finding.ts'

/** Whether the database is there, whole, of the right version, ours, and takes writes. */
export async function checkStore(config: Config, nowSeconds: number): Promise<CheckFinding[]> {
  const where =
    config.databaseUrl === undefined
      ? `the database in ${config.data}`
      : 'the PostgreSQL of MUSTER_DATABASE_URL'
  let facts: StoreFacts | undefined
  try {
    facts = await diagnoseStore({ dataDir: config.data, databaseUrl: config.databaseUrl })
  } catch (error) {
    // SQLite cannot even open the file when there is no room for the index of its log.
    if (isFull((error as { errcode?: number }).errcode ?? 0)) {
      return [
        fail(
          'writable',
          `${capital(where)} takes no writes: the disk of the data folder is full.`,
          'Free some space, or move the data folder to a larger disk.',
        ),
      ]
    }
    if (config.databaseUrl === undefined && error instanceof StoreUnavailableError) {
      return [
        fail(
          'database',
          `${capital(where)} cannot be looked at now: ${error.message}.`,
          'Ask again when that is done.',
        ),
      ]
    }
    // An error whose cause is known says itself what to do.
    const isKnown = error instanceof StoreUnavailableError && error.reason !== undefined
    const advice = isKnown
      ? 'Then ask again.'
      : config.databaseUrl === undefined
        ? 'Restore the newest backup to another data folder: muster restore FILE --data DIR.'
        : 'Check that it runs, that its address, user and password are right, and that this machine may connect to it.'
    return [fail('database', `${capital(where)} cannot be opened: ${messageOf(error)}.`, advice)]
  }
  if (facts === undefined) {
    return [
      warn(
        'database',
        `There is no database in ${config.data} yet.`,
        'The first start of muster serve makes it. If there should be one, name its folder with --data.',
      ),
      keyFinding(config, undefined),
    ]
  }
  return [
    schemaFinding(facts, where),
    ...(facts.problems.length === 0
      ? [ok('integrity', `${capital(where)} is sound (${facts.version}).`)]
      : [
          fail(
            'integrity',
            `${capital(where)} is damaged: ${facts.problems[0]}.`,
            'Stop the server and restore the newest backup: muster restore FILE --data DIR.',
          ),
        ]),
    facts.writable === true
      ? ok('writable', `${capital(where)} takes writes.`)
      : fail(
          'writable',
          `${capital(where)} takes no writes: ${facts.writable}.`,
          config.databaseUrl === undefined
            ? 'If another process holds it, stop that; else see to its permissions and to the space on its disk.'
            : 'Name the primary in MUSTER_DATABASE_URL, as a user that may own the database and its tables: ALTER DATABASE … OWNER TO ….',
        ),
    keyFinding(config, facts.keyFingerprint),
    ...clockFindings(facts, nowSeconds),
  ]
}

function schemaFinding(
  { schema, knownSchema, isUnreleased, encoding }: StoreFacts,
  where: string,
): CheckFinding {
  if (encoding !== undefined && encoding !== 'UTF8') {
    return fail(
      'database',
      `${capital(where)} has the encoding ${encoding}, but must have UTF8: it cannot hold every character.`,
      "Make another one, CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8', and bring over what is in it: muster backup, muster restore.",
    )
  }
  if (isUnreleased) {
    return fail(
      'database',
      `${capital(where)} was made by a commit from before Muster 0.1.0, which this version cannot read.`,
      unreleasedSchemaAdvice,
    )
  }
  if (schema > knownSchema) {
    return fail(
      'database',
      `${capital(where)} has schema ${schema}, this version of Muster knows up to ${knownSchema}.`,
      'Start the newer version of Muster that wrote it.',
    )
  }
  if (schema < knownSchema) {
    return warn(
      'database',
      `${capital(where)} has schema ${schema}, this version of Muster works with ${knownSchema}.`,
      encoding === undefined
        ? 'Make a backup; the next start of muster serve brings it up to date.'
        : 'Make a backup by the version of Muster that wrote it, or by pg_dump; the next start of muster serve brings it up to date.',
    )
  }
  return ok('database', `${capital(where)} can be reached and has schema ${schema}.`)
}

/** @param known of which master key the database is; undefined if none was used yet */
function keyFinding({ data, secretKey }: Config, known: string | undefined): CheckFinding {
  const file = masterKeyFile(data)
  const isThere = secretKey === undefined && existsSync(file)
  const key = secretKey ?? (isThere ? parseMasterKey(readFileSync(file, 'utf8').trim()) : undefined)
  if (isThere && key === undefined)
    return fail(
      'master key',
      `${file} does not hold a master key${known === undefined ? '' : ` (the database was used with that of the fingerprint ${known})`}.`,
      'Put the right one there, which backups hold. If the database was never served, remove the file: the first start makes a key.',
    )
  if (known === undefined)
    return ok('master key', key ? 'There is a master key.' : 'The first start makes the master key.')
  if (key !== undefined && keyFingerprint(key) === known)
    return ok('master key', 'The master key is the one that the database was used with.')
  const what =
    key === undefined
      ? 'The master key is missing'
      : 'The master key is not the one that the database was used with'
  return fail(
    'master key',
    `${what} (fingerprint ${known}).`,
    `Put the right one into ${file}, or set MUSTER_SECRET_KEY. Backups hold it.`,
  )
}

const clockToleranceSeconds = 5

function clockFindings({ newestSeconds, databaseSeconds }: StoreFacts, nowSeconds: number): CheckFinding[] {
  const advice = 'Let both machines take their time from the network (NTP).'
  const findings: CheckFinding[] = []
  if (newestSeconds !== undefined && newestSeconds > nowSeconds + clockToleranceSeconds) {
    const madeAt = new Date(newestSeconds * 1000).toISOString()
    findings.push(
      fail(
        'clock',
        `This machine's clock is behind: something in the database was made at ${madeAt}.`,
        'Set the clock of this machine, best from the network (NTP).',
      ),
    )
  }
  if (databaseSeconds !== undefined && Math.abs(databaseSeconds - nowSeconds) > clockToleranceSeconds) {
    findings.push(
      warn(
        'clock',
        `The clock of the database is ${Math.abs(databaseSeconds - nowSeconds)} seconds off from this machine's.`,
        advice,
      ),
    )
  }
  return findings.length > 0 ? findings : [ok('clock', `It is ${new Date(nowSeconds * 1000).toISOString()}.`)]
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
