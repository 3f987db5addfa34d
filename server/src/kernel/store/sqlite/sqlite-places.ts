/**
 * The place of a row in the embedded store: one number that holds the organization in the ten bits above the 53 of a
 * sequence number, or of a position in the audit trail, and in its sign whether lists leave the row out. SQLite adds a row
 * with the highest number by writing to one page; a key of several columns would make it share out three pages anew.
 */

/** The bits of a place that are the number within its organization. */
export const numberBits = 9007199254740991

/** The place, of expressions for what it is made of; to be compared as it stands, since `|` binds more than that. */
export const placeOf = (org: string, number: string, unlisted?: string): string =>
  `(${org} << 53) | ${unlisted === undefined ? '' : `(${unlisted} << 63) | `}${number}`

/** The columns that it is made of: in the audit trail, and in every table with `unlisted`. */
const auditKey = ['org', 'position']
const recordKey = ['org', 'unlisted', 'seq']

/**
 * The columns and values of an insert of so many rows: where the columns in front make up a place, it is written, too.
 * Parameters have no numbers: each that is bound would be sought among all of them.
 *
 * @returns what follows the table's name; the parameters are the values, row by row
 */
export function insertedValues(table: string, columns: readonly string[], rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  const values = `VALUES ${Array.from({ length: rows }, () => row).join(', ')}`
  const key = table === 'audit_events' ? auditKey : recordKey
  if (!key.every((name, at) => columns[at] === name)) return `(${columns.join(', ')}) ${values}`
  const [org = '', ...parts] = key.map((_, at) => `column${at + 1}`)
  const place = placeOf(org, parts.pop() ?? '', ...parts)
  // An ON CONFLICT may follow, which without the condition would be read as that of a join.
  return `(place, ${columns.join(', ')}) SELECT ${place}, * FROM (${values}) WHERE true`
}
