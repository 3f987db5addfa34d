import { unorderedPath } from '../../query/predicates.ts'
import type { Dialect } from '../sql.ts'

export const postgresDialect: Dialect = {
  name: 'postgres',
  indexedBy: () => '',
  indexedJoin: ({ table, alias, columns = '*', where }) =>
    `LATERAL (SELECT ${columns} FROM ${table} WHERE ${where.join(' AND ')} OFFSET 0) AS ${alias}`,
  recordAt: 'org = ? AND unlisted = ? AND seq = ?',
  recordsAt:
    'org = ? AND unlisted = ? AND seq = ANY (ARRAY(SELECT wanted.value::bigint FROM json_array_elements_text(?::text::json) AS wanted(value)))',
  hiddenFlag: '(t.unlisted + 0)',
  setHidden: (unlisted) => `unlisted = ${unlisted}`,
  scan: (org, unlisted, after, below) => ({
    where: 't.org = ? AND t.unlisted = ? AND t.seq > ? AND t.seq < ?',
    params: [org, unlisted, after, below],
    order: 't.seq',
  }),
  auditAt: (position) => `e.org = ? AND e.position = ${position}`,
  auditScan: (org, after) => ({
    where: 'e.org = ? AND e.position > ?',
    params: [org, after],
    order: 'e.position',
  }),
  // OFFSET 0 keeps the planner from reversing the join: for each row of `from`, one lookup.
  joinBySeq: (from, table, seq) =>
    `${from} CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE org = ? AND unlisted = ? AND seq = ${seq} OFFSET 0) AS t`,
  // Without statistics PostgreSQL prefers a full scan to `IN (…)`; a LATERAL join forces index lookups.
  seekByValues: (table, column, _index, forUpdate = false) =>
    `json_array_elements_text(?::text::json) AS wanted(value) CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE org = ? AND ${column} = wanted.value OFFSET 0${forUpdate ? ' FOR UPDATE' : ''}) AS t`,
  // Parses the record once rather than once per member.
  jsonMembers: (
    column,
    members,
  ) => `(SELECT json_build_array(${members.map((member) => `f."${member}"`).join(', ')})
  FROM json_to_record(${column}::json) AS f(${members.map((member) => `"${member}" json`).join(', ')}))::text`,
  textIn: (column) => `${column} = ANY (ARRAY(SELECT json_array_elements_text(?::text::json)))`,
  // The planner would otherwise choose an index by its statistics, and a wrong one while it has none.
  withoutIndex: (column, type) => (type === 'text' ? `(${column} || '')` : `(${column} + 0)`),
  contains: (column) => `strpos(${column}, ?) > 0`,
  nowMs: 'CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)',
  greatest: (one, other) => `greatest(${one}, ${other})`,
  forUpdate: ' FOR UPDATE',
  textIndex: (table, column, _substrings, needle) => ({
    pieces: piecesOf(needle),
    path: (pieces) => {
      const patterns = (pieces.length > 0 ? pieces : [needle]).map(
        (text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`,
      )
      // Expressions that only the trigram index matches.
      const where = ['d.org + 0 = ?', ...patterns.map(() => `d.${column} LIKE ?`)].join(' AND ')
      const recheck = { sql: `strpos(t.${column}, ?) > 0`, params: [needle] }
      return { ...unorderedPath(`${table} d`, where, patterns), recheck }
    },
  }),
  chainsAuditTrail: true,
  organizationsMaximum: Number.POSITIVE_INFINITY,
  // Writers do not wait for each other, and each statement and commit is a round trip.
  importBatchRecords: 2500,
  allowsSeveralServers: true,
}

/** Length of the pieces of a text, and how many are considered. */
const pieceLength = 4
const piecesMaximum = 48

/**
 * Splits a text into pieces to look up. For each row that has the rarest trigram, the index checks every other trigram of
 * the text, which is slow for a whole address. Trigrams hold only letters and digits, so a piece needs some; pieces that
 * have nothing else come first.
 */
function piecesOf(needle: string): string[] {
  const characters = [...needle]
  const windows = characters
    .slice(pieceLength - 1, pieceLength - 1 + piecesMaximum)
    .map((_, at) => characters.slice(at, at + pieceLength).join(''))
  const pieces = [...new Set(windows)].filter((piece) => /[\p{L}\p{N}]{2}/u.test(piece))
  const isWord = (piece: string) => /^[\p{L}\p{N}]*$/u.test(piece)
  return [...pieces.filter(isWord), ...pieces.filter((piece) => !isWord(piece))]
}
