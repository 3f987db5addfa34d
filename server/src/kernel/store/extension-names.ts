import { foldAscii } from '../lib/fold-case.ts'
import { firstCharacters } from '../lib/text.ts'
import type { Fragment, Lead, Predicate } from '../query/predicates.ts'
import { sequenceEnd } from './sequence.ts'
import type { Dialect, Param, Tx } from './sql.ts'
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

const nameOf = ({ name }: PublicRecord): string => firstCharacters(foldAscii(String(name)), nameLengthMaximum)

const notedMaximum = 100_000

/** The records whose names may not be noted yet: most have the name that the extension had before. */
function notNoted(tx: Tx, org: number, records: readonly PublicRecord[]): readonly PublicRecord[] {
  if (records.length === 1) return records
  const before = tx.bulk.extensionNames
  const { names } = before?.org === org && before.names.size < notedMaximum ? before : { names: new Map() }
  tx.bulk.extensionNames = { org, names }
  return records.filter(({ extensionId, name }) => {
    if (names.get(extensionId) === name) return false
    names.set(extensionId, name)
    return true
  })
}

/** Notes the names of installations that are added or changed. */
export async function noteExtensionNames(
  tx: Tx,
  org: number,
  records: readonly PublicRecord[],
): Promise<void> {
  const pairs = new Map(
    notNoted(tx, org, records).map((record) => {
      const row = [org, String(record.extensionId), nameOf(record)] as const
      return [JSON.stringify(row), row] as const
    }),
  )
  // In one order: two transactions that note the same new names wait for each other in turn, and never in a ring.
  const rows = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const columns = ['org', 'extension_id', 'name']
  const [only] = rows
  if (only && rows.length === 1)
    tx.enqueueInsert(extensionNamesTable, columns, only, 'ON CONFLICT DO NOTHING')
  else if (only) await tx.insert(extensionNamesTable, columns, rows, 'ON CONFLICT DO NOTHING')
}

/** Whether a search among members of a table can begin at the names. */
export const beginsAtNames = (table: Table, members: readonly string[]): boolean =>
  holdsInstallations(table) && members.every((member) => member === 'name' || member === 'extensionId')

/**
 * The condition that the name or id of an installation's extension holds each of some words, where `tests` tell it of a
 * row alone, word by word: the few names refuse most rows sooner. The way to the rows begins at the names, too. Of an
 * extension where each word is in the id or in all of its names, no row need be looked at.
 */
export function extensionNamePredicate(
  table: Table,
  words: readonly string[],
  tests: readonly Fragment[],
  dialect: Dialect,
): Predicate & { lead: Lead } {
  const needles = words.map(foldAscii).flatMap((needle) => [needle, needle])
  const test: Fragment = {
    sql: tests.map(({ sql }) => sql).join(' AND '),
    params: tests.flatMap(({ params }) => [...params]),
  }
  const hay = dialect.name === 'sqlite' ? 'lower(extension_id)' : 'lower(extension_id COLLATE "C")'
  const hit = words.map(() => `(${dialect.contains('name')} OR ${dialect.contains(hay)})`).join(' AND ')
  const some = `EXISTS (SELECT 1 FROM ${extensionNamesTable} WHERE org = t.org AND extension_id = t.extension_id AND ${hit} LIMIT 1 OFFSET 0)`
  const hits = `SELECT org, extension_id, CASE WHEN ${hit} THEN 1 ELSE 0 END AS hit FROM ${extensionNamesTable} WHERE org = ?`
  const named = `(SELECT org, extension_id, min(hit) AS whole FROM (${hits}) AS h GROUP BY org, extension_id HAVING max(hit) = 1) AS n`
  const index = dialect.indexedBy(indexOf(table, 'extension_id'))
  const rows = dialect.indexedJoin({
    table: table.name,
    alias: 'd',
    index: indexOf(table, 'extension_id'),
    columns: 'seq',
    where: ['org = n.org', 'extension_id = n.extension_id', 'seq > ?', 'seq < ?'],
  })
  const namedParams = (org: number): Param[] => [...needles, org]
  const lead: Lead = {
    ordered: false,
    own: false,
    tested: true,
    from: `${named} CROSS JOIN ${rows}`,
    where: '1 = 1',
    params: (org, after, below) => [...namedParams(org), after, below],
    seq: 'd.seq',
    order: 'd.seq',
    merged: {
      columns: 'n.whole AS whole',
      passes: 'd.whole = 1',
      test,
      end: (descending, count) => ({
        sql: endOfMerged(dialect, `${table.name} x${index}`, named, descending, count),
        params: (org, after, below) => {
          const heads = [after, below, ...namedParams(org)]
          const last = descending ? after + 1 : below - 1
          return dialect.name === 'sqlite' ? [after, below, last, ...heads] : [...heads, after, below]
        },
      }),
    },
  }
  return {
    test: { sql: `(${some} AND ${test.sql})`, params: [...needles, ...test.params] },
    lead,
  }
}

/**
 * Finds the number of the row so many rows on among those of all the named extensions, of which each has its own in order.
 * Only as many extensions matter as there are rows, those whose first row comes first; and of each no more rows than that.
 */
function endOfMerged(
  { name }: Dialect,
  source: string,
  named: string,
  descending: boolean,
  count: number,
): string {
  const [way, first, none] = descending ? [' DESC', 'max', 0] : ['', 'min', sequenceEnd]
  const rows = (owner: string) =>
    `FROM ${source} WHERE x.org = ${owner}.org AND x.extension_id = ${owner}.extension_id`
  const within = 'AND x.seq > ? AND x.seq < ?'
  const head = `coalesce((SELECT ${first}(x.seq) ${rows('n')} ${within}), ${none})`
  const heads = `(SELECT n.org AS org, n.extension_id AS extension_id, ${head} AS head FROM ${named} ORDER BY head${way} LIMIT ${count}) AS m`
  const ordered = `${within} ORDER BY x.seq${way} LIMIT`
  const end = ` ORDER BY seq${way} LIMIT 1 OFFSET ${count - 1}`
  if (name === 'postgres')
    return `SELECT x.seq AS seq FROM ${heads} CROSS JOIN LATERAL (SELECT x.seq ${rows('m')} ${ordered} ${count}) AS x${end}`
  // It has no LATERAL: the place of the last of the rows is found, and then they are.
  const tail = `coalesce((SELECT x.seq ${rows('m')} ${ordered} 1 OFFSET ${count - 1}), ?)`
  const [low, high] = descending ? ['tail', 'head'] : ['head', 'tail']
  const reaches = `(SELECT m.org AS org, m.extension_id AS extension_id, m.head AS head, ${tail} AS tail FROM ${heads}) AS r`
  return `SELECT seq FROM (SELECT x.seq AS seq FROM ${reaches} CROSS JOIN ${source} WHERE x.org = r.org AND x.extension_id = r.extension_id AND x.seq >= r.${low} AND x.seq <= r.${high}) AS d${end}`
}
