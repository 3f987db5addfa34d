import type { Dialect } from '../sql.ts'
import { numberBits, placeOf } from './sqlite-places.ts'
import { substringPath } from './sqlite-substrings.ts'

/** Of three parameters: organization, whether the record is unlisted, sequence number. */
const recordPlace = placeOf('?', '?', '?')

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  indexedBy: (index) => (index ? ` INDEXED BY ${index}` : ' NOT INDEXED'),
  at: `place = ${recordPlace}`,
  atAny: `place IN (SELECT ${placeOf('?', 'value', '?')} FROM json_each(?))`,
  hiddenFlag: '(t.place < 0)',
  setHidden: (unlisted) => `unlisted = ${unlisted}, place = (place & ~(1 << 63)) | (${unlisted} << 63)`,
  walk: (org, unlisted, after, below) => ({
    where: `t.place >= ${recordPlace} AND t.place < ${recordPlace}`,
    params: [org, unlisted, after + 1, org, unlisted, below],
    order: 't.place',
  }),
  auditAt: (position) => `e.place = ${placeOf('?', position)}`,
  auditWalk: (org, after) => ({
    where: `e.place >= ${placeOf('?', '?')} AND e.place <= ${placeOf('?', `${numberBits}`)}`,
    params: [org, Math.max(0, after + 1), org],
    order: 'e.place',
  }),
  lookup: (from, table, seq) => `${from} CROSS JOIN ${table} t ON t.place = ${placeOf('?', seq, '?')}`,
  seek: (table, column, index) =>
    `json_each(?) AS wanted CROSS JOIN ${table} t INDEXED BY ${index} ON t.org = ? AND t.${column} = wanted.value`,
  arrayOf: (expression) => `json_group_array(${expression})`,
  fromArray: { from: 'json_each(?) AS n', where: 'n.value IS NOT NULL', seq: 'n.value', order: 'n.value' },
  amongTexts: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  unindexed: (column) => column,
  holds: (column) => `instr(${column}, ?) > 0`,
  nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  later: (one, other) => `max(${one}, ${other})`,
  forUpdate: '',
  substringPath: (_table, column, substrings, needle) => substringPath(substrings, column, needle),
  testsByIndex: true,
  chainsAuditTrail: false,
  chunkRows: 2000,
}
