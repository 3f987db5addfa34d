/**
 * The place of a row in the embedded store: one number that holds the organisation in the ten bits above the 53 of a
 * sequence number, or of a position in the audit trail, and in its sign whether lists leave the row out. SQLite adds a row
 * with the highest number by writing to one page; a key of several columns would make it share out three pages anew.
 */

/** The bits of a place that are the number within its organisation. */
export const numberBits = 9007199254740991

/** The place of a record, of three parameters: organisation, whether it is unlisted, sequence number. */
export const recordPlace = '((? << 53) | (? << 63) | ?)'

/** The columns that a place stands for, which follow from it, and how it is made of them; no other table has `unlisted`. */
const recordKey = { columns: ['org', 'unlisted', 'seq'], place: recordPlace }
const auditKey = { columns: ['org', 'position'], place: '((? << 53) | ?)' }

/** The columns that an insert writes, and a mark for each: those in front that a place stands for are written as one. */
export function writtenColumns(
  table: string,
  columns: readonly string[],
): { columns: readonly string[]; marks: string } {
  const key = table === 'audit_events' ? auditKey : recordKey
  if (!key.columns.every((name, at) => columns[at] === name))
    return { columns, marks: columns.map(() => '?').join(', ') }
  const rest = columns.slice(key.columns.length)
  return { columns: ['place', ...rest], marks: [key.place, ...rest.map(() => '?')].join(', ') }
}
