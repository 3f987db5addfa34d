import { foldAscii } from '../lib/fold-case.ts'
import { firstCharacters } from '../lib/text.ts'
import type { AccessPath, Fragment, Predicate } from '../query/predicates.ts'
import type { Dialect, Tx } from './sql.ts'
import { indexOf, type Table } from './tables.ts'

/**
 * Table of the distinct names of each extension. There are few names even with a million installations, so a search reads the
 * names and looks up the installations by extension; to test each installation would take seconds. A name is kept after its
 * last installation is gone, and then matches no rows.
 */
const extensionNamesTable = 'extension_names'

/** Maximum length of a stored name, since it is part of an index. */
const maximumNameLength = 256

type PublicRecord = Readonly<Record<string, unknown>>

/** True for the table of extension installations. */
export const isInstallationTable = ({ name }: Pick<Table, 'name'>): boolean => name === 'browser_extensions'

const searchedName = ({ name }: PublicRecord): string =>
  firstCharacters(foldAscii(String(name)), maximumNameLength)

const maximumRecorded = 100_000

/** Returns the records whose names may be new. In a bulk insert, most have the same name as the previous record of the extension. */
function withNewNames(tx: Tx, org: number, records: readonly PublicRecord[]): readonly PublicRecord[] {
  if (records.length === 1) return records
  const before = tx.bulk.extensionNames
  const { names } = before?.org === org && before.names.size < maximumRecorded ? before : { names: new Map() }
  tx.bulk.extensionNames = { org, names }
  return records.filter(({ extensionId, name }) => {
    if (names.get(extensionId) === name) return false
    names.set(extensionId, name)
    return true
  })
}

/** Records the names of added or changed installations. */
export async function recordExtensionNames(
  tx: Tx,
  org: number,
  records: readonly PublicRecord[],
): Promise<void> {
  const pairs = new Map(
    withNewNames(tx, org, records).map((record) => {
      const row = [org, String(record.extensionId), searchedName(record)] as const
      return [JSON.stringify(row), row] as const
    }),
  )
  // Sorted, because two transactions that insert the same names in different orders could deadlock.
  const rows = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const columns = ['org', 'extension_id', 'name']
  const [only] = rows
  if (only && rows.length === 1)
    tx.enqueueInsert(extensionNamesTable, columns, only, 'ON CONFLICT DO NOTHING')
  else if (only) await tx.insert(extensionNamesTable, columns, rows, 'ON CONFLICT DO NOTHING')
}

/** True if a search of these members can use the table of names. */
export const searchesExtensionNames = (table: Table, members: readonly string[]): boolean =>
  isInstallationTable(table) && members.every((member) => member === 'name' || member === 'extensionId')

/**
 * Returns the predicate "the name or ID of the installation's extension contains each of the words". Both its test and its
 * access path start with the few names. The rows of an extension whose ID, or every name, contains each word pass without a
 * test (`whole = 1`).
 *
 * @param tests tests of a single row, one for each word
 */
export function extensionNamePredicate(
  table: Table,
  words: readonly string[],
  tests: readonly Fragment[],
  dialect: Dialect,
): Predicate & { path: AccessPath } {
  const needles = words.map(foldAscii).flatMap((needle) => [needle, needle])
  const test: Fragment = {
    sql: tests.map(({ sql }) => sql).join(' AND '),
    params: tests.flatMap(({ params }) => [...params]),
  }
  const idColumn = dialect.name === 'sqlite' ? 'lower(extension_id)' : 'lower(extension_id COLLATE "C")'
  const hit = words.map(() => `(${dialect.contains('name')} OR ${dialect.contains(idColumn)})`).join(' AND ')
  const hasMatchingName = `EXISTS (SELECT 1 FROM ${extensionNamesTable} WHERE org = t.org AND extension_id = t.extension_id AND ${hit} LIMIT 1 OFFSET 0)`
  const hits = `SELECT org, extension_id, CASE WHEN ${hit} THEN 1 ELSE 0 END AS hit FROM ${extensionNamesTable} WHERE org = ?`
  const named = `(SELECT org, extension_id, min(hit) AS whole FROM (${hits}) AS h GROUP BY org, extension_id HAVING max(hit) = 1) AS n`
  const rows = dialect.indexedJoin({
    table: table.name,
    alias: 'd',
    index: indexOf(table, 'extension_id'),
    columns: 'seq',
    where: ['org = n.org', 'extension_id = n.extension_id', 'seq > ?', 'seq < ?'],
  })
  return {
    test: { sql: `(${hasMatchingName} AND ${test.sql})`, params: [...needles, ...test.params] },
    path: {
      ordered: false,
      alias: 'd',
      from: `${named} CROSS JOIN ${rows}`,
      where: '1 = 1',
      params: (org, after, below) => [...needles, org, after, below],
      columns: ', n.whole AS whole',
      recheck: { sql: `(d.whole = 1 OR ${test.sql})`, params: test.params },
      countsAlone: { sure: 'n.whole = 1', unsure: 'n.whole = 0' },
    },
  }
}
