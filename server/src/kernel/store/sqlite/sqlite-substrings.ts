import type { AccessPath } from '../../query/predicates.ts'
import { pendingSubstrings } from '../tables.ts'
import { trigrams } from '../values.ts'
import { numberBits, packedKey } from './sqlite-keys.ts'

/** Number of trigrams of a text that are considered, and how many of them are looked up. */
const trigramsMaximum = 48
const trigramsChosen = 3

/** The rowid of a text is the key of its record without `unlisted`. */
const between = (place: string): string =>
  `${place} > ${packedKey('?', '?')} AND ${place} < ${packedKey('?', '?')}`

/** Access path to the rows that contain all the trigrams, by an FTS5 table. */
export function substringPath(
  substrings: string,
  column: string,
  needle: string,
  grams: readonly string[] = trigrams(needle).slice(0, trigramsMaximum),
): AccessPath {
  const match = grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ')
  const where = `${between(`${substrings}.rowid`)} AND ${substrings} MATCH ?`
  const sample = { columns: `t.${column}`, narrowIndex: false }
  const waiting = `FROM ${pendingSubstrings} WHERE index_name = '${substrings}' AND ${between('place')} AND instr(value, ?) > 0`
  const waitingParams = (org: number, after: number, below: number) => [org, after, org, below, needle]
  const all: AccessPath = {
    ordered: false,
    ownTable: false,
    sample,
    recheck: true,
    from: `(SELECT rowid AS place FROM ${substrings} WHERE ${where} UNION ALL SELECT place ${waiting}) AS found`,
    where: 'found.place IS NOT NULL',
    params: (org, after, below) => [org, after, org, below, match, ...waitingParams(org, after, below)],
    seq: `(found.place & ${numberBits})`,
    order: 'found.place',
  }
  const path: AccessPath = {
    ordered: true,
    ownTable: false,
    sample,
    recheck: true,
    pending: { sql: `SELECT 1 ${waiting} LIMIT 1`, params: waitingParams, path: all },
    from: substrings,
    where,
    params: (org, after, below) => [org, after, org, below, match],
    seq: `(${substrings}.rowid & ${numberBits})`,
    order: `${substrings}.rowid`,
  }
  if (grams.length <= trigramsChosen) return path
  const tests = grams.map((gram) => ({ sql: `instr(t.${column}, ?) > 0`, params: [gram] }))
  const fewest = (chosen: readonly number[]) =>
    substringPath(
      substrings,
      column,
      needle,
      chosen.slice(0, trigramsChosen).map((at) => grams[at] ?? ''),
    )
  return { ...path, pieces: { tests, path: fewest } }
}
