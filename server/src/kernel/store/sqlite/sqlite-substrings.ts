import { type TextIndex, unorderedPath } from '../../query/predicates.ts'
import { pendingSubstrings } from '../tables.ts'
import { trigrams } from '../values.ts'
import { numberBits, packedKey } from './sqlite-keys.ts'

/** Number of trigrams of a text that are considered. */
const trigramsMaximum = 48

/** The rowid of a text is the key of its record without `unlisted`. */
const between = (place: string): string =>
  `${place} > ${packedKey('?', '?')} AND ${place} < ${packedKey('?', '?')}`

/**
 * Returns the index of the texts of a column: an FTS5 table, and the texts that are not indexed yet. Rows that have the
 * trigrams may not contain the text.
 */
export function textIndex(substrings: string, column: string, needle: string): TextIndex {
  const indexed = `SELECT rowid AS place FROM ${substrings} WHERE ${between(`${substrings}.rowid`)} AND ${substrings} MATCH ?`
  const pending = `SELECT place FROM ${pendingSubstrings} WHERE index_name = '${substrings}' AND ${between('place')} AND instr(value, ?) > 0`
  const recheck = { sql: `instr(t.${column}, ?) > 0`, params: [needle] }
  return {
    pieces: trigrams(needle).slice(0, trigramsMaximum),
    path: (grams) => {
      const match = grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ')
      return {
        ...unorderedPath(
          `(SELECT place & ${numberBits} AS seq FROM (${indexed} UNION ALL ${pending})) AS d`,
          'd.seq IS NOT NULL',
          [],
        ),
        params: (org, after, below) => [org, after, org, below, match, org, after, org, below, needle],
        recheck,
      }
    },
  }
}
