import { foldAscii } from './dialect/member-text.ts'
import type { Lead } from './predicates.ts'
import type { Dialect, Tx } from './sql.ts'
import { indexOf, type Table } from './tables.ts'

/**
 * The names that extensions have in browsers, each once for an extension: few, where there are a million installations.
 * A search looks at these names and goes from there to the installations; to look at each of those would take seconds.
 * A name stays when the last installation that had it is gone: it leads to nothing then.
 */
export const extensionNamesTable = 'extension_names'

/** So much of a name is kept: it stands in an index. */
const nameLengthMaximum = 256

type PublicRecord = Readonly<Record<string, unknown>>

/** Whether the records of a table are installations of extensions. */
export const holdsInstallations = ({ name }: Pick<Table, 'name'>): boolean => name === 'browser_extensions'

const nameOf = ({ name }: PublicRecord): string => {
  const folded = foldAscii(String(name))
  return folded.length <= nameLengthMaximum ? folded : [...folded].slice(0, nameLengthMaximum).join('')
}

/** Notes the names of installations that are added or changed. */
export async function noteExtensionNames(
  tx: Tx,
  org: number,
  records: readonly PublicRecord[],
): Promise<void> {
  const pairs = new Map(
    records.map((record) => {
      const row = [org, String(record.extensionId), nameOf(record)] as const
      return [JSON.stringify(row), row] as const
    }),
  )
  // In one order: two transactions that note the same new names wait for each other in turn, and never in a ring.
  const rows = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const columns = ['org', 'extension_id', 'name']
  const [only] = rows
  if (only && rows.length === 1) tx.put(extensionNamesTable, columns, only, 'ON CONFLICT DO NOTHING')
  else await tx.insert(extensionNamesTable, columns, rows, 'ON CONFLICT DO NOTHING')
}

/** Whether a search among members of a table can begin at the names. */
export const beginsAtNames = (table: Table, members: readonly string[]): boolean =>
  holdsInstallations(table) && members.every((member) => member === 'name' || member === 'extensionId')

/** The way from the names, and ids, that hold a text to the installations; each is to be tested. */
export function extensionNameLead(table: Table, text: string, dialect: Dialect): Lead {
  const needle = foldAscii(text)
  const holds = (column: string) =>
    dialect.name === 'sqlite' ? `instr(${column}, ?) > 0` : `strpos(${column}, ?) > 0`
  const folded = dialect.name === 'sqlite' ? 'lower(extension_id)' : 'lower(extension_id COLLATE "C")'
  const named = `(SELECT DISTINCT org, extension_id FROM ${extensionNamesTable} WHERE org = ? AND (${holds('name')} OR ${holds(folded)})) AS n`
  const rows =
    dialect.name === 'sqlite'
      ? `${table.name} d${dialect.indexedBy(indexOf(table, 'extension_id'))} ON d.org = n.org AND d.extension_id = n.extension_id`
      : `LATERAL (SELECT seq FROM ${table.name} WHERE org = n.org AND extension_id = n.extension_id OFFSET 0) AS d`
  return {
    ordered: false,
    own: false,
    tested: true,
    from: `${named} CROSS JOIN ${rows}`,
    where: '1 = 1',
    params: (org) => [org, needle, needle],
    seq: 'd.seq',
    order: 'd.seq',
  }
}
