/**
 * Keys of rows in the embedded store. A key is one integer in the column `place`: the sequence number of a record, or the
 * position of an audit event, in the low 53 bits; the organization in the ten bits above; `unlisted` in the sign bit. SQLite
 * appends a row with the highest rowid by writing to one page; a key of several columns would split three pages.
 */

/** Mask for the number within the organization. */
export const numberBits = 9007199254740991
/** Highest number of an organization: ten bits. */
export const organizationsMaximum = 1023

/** Returns the key as SQL, from expressions for its parts. Safe in comparisons: `|` binds more tightly. */
export const packedKey = (org: string, number: string, unlisted?: string): string =>
  `(${org} << 53) | ${unlisted === undefined ? '' : `(${unlisted} << 63) | `}${number}`

/** Columns that make up the key: in the audit trail, and in every table with `unlisted`. */
const auditKey = ['org', 'position']
const recordKey = ['org', 'unlisted', 'seq']

/**
 * Returns the columns and values of an INSERT with `rows` rows. If the first columns make up a key, the key is inserted, too.
 * The parameters are not numbered, because SQLite would search all of them for each value it binds.
 *
 * @returns the part after the name of the table; the parameters are the values, row by row
 */
export function insertedValues(table: string, columns: readonly string[], rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  const values = `VALUES ${Array.from({ length: rows }, () => row).join(', ')}`
  const key = table === 'audit_events' ? auditKey : recordKey
  if (!key.every((name, at) => columns[at] === name)) return `(${columns.join(', ')}) ${values}`
  const [org = '', ...parts] = key.map((_, at) => `column${at + 1}`)
  const place = packedKey(org, parts.pop() ?? '', ...parts)
  // Without WHERE, SQLite would read a following ON CONFLICT as the ON of a join.
  return `(place, ${columns.join(', ')}) SELECT ${place}, * FROM (${values}) WHERE true`
}
