import type { Dialect } from '../sql.ts'
import { numberBits, organizationsMaximum, packedKey } from './sqlite-keys.ts'
import { textIndex } from './sqlite-substrings.ts'

/** Key of a record; the parameters are organization, `unlisted` and sequence number. */
const recordKey = packedKey('?', '?', '?')

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  indexedBy: (index) => (index ? ` INDEXED BY ${index}` : ' NOT INDEXED'),
  indexedJoin: ({ table, alias, index, where }) =>
    `${table} ${alias} INDEXED BY ${index} ON ${where.map((condition) => `${alias}.${condition}`).join(' AND ')}`,
  recordAt: `place = ${recordKey}`,
  recordsAt: `place IN (SELECT ${packedKey('?', 'value', '?')} FROM json_each(?))`,
  hiddenFlag: '(t.place < 0)',
  setHidden: (unlisted) => `unlisted = ${unlisted}, place = (place & ~(1 << 63)) | (${unlisted} << 63)`,
  scan: (org, unlisted, after, below) => ({
    where: `t.place >= ${recordKey} AND t.place < ${recordKey}`,
    params: [org, unlisted, after + 1, org, unlisted, below],
    order: 't.place',
  }),
  auditAt: (position) => `e.place = ${packedKey('?', position)}`,
  auditScan: (org, after) => ({
    where: `e.place >= ${packedKey('?', '?')} AND e.place <= ${packedKey('?', `${numberBits}`)}`,
    params: [org, Math.max(0, after + 1), org],
    order: 'e.place',
  }),
  joinBySeq: (from, table, seq) => `${from} CROSS JOIN ${table} t ON t.place = ${packedKey('?', seq, '?')}`,
  seekByValues: (table, column, index) =>
    `json_each(?) AS wanted CROSS JOIN ${table} t INDEXED BY ${index} ON t.org = ? AND t.${column} = wanted.value`,
  jsonMembers: (column, members) =>
    `json_extract(${column}, ${members.map((member) => `'$.${member}'`).join(', ')})`,
  textIn: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  withoutIndex: (column) => column,
  contains: (column) => `instr(${column}, ?) > 0`,
  nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  greatest: (one, other) => `max(${one}, ${other})`,
  forUpdate: '',
  textIndex: (_table, column, substrings, needle) => textIndex(substrings, column, needle),
  chainsAuditTrail: false,
  organizationsMaximum,
  // Few enough to let other connections write in between.
  importBatchRecords: 500,
  allowsSeveralServers: false,
}
