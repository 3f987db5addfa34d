import type { AccessPath } from '../../query/predicates.ts'
import type { Dialect } from '../sql.ts'

export const postgresDialect: Dialect = {
  name: 'postgres',
  indexedBy: () => '',
  at: 'org = ? AND unlisted = ? AND seq = ?',
  atAny:
    'org = ? AND unlisted = ? AND seq = ANY (ARRAY(SELECT wanted.value::bigint FROM json_array_elements_text(?::text::json) AS wanted(value)))',
  hiddenFlag: '(t.unlisted + 0)',
  setHidden: (unlisted) => `unlisted = ${unlisted}`,
  walk: (org, unlisted, after, below) => ({
    where: 't.org = ? AND t.unlisted = ? AND t.seq > ? AND t.seq < ?',
    params: [org, unlisted, after, below],
    order: 't.seq',
  }),
  auditAt: (position) => `e.org = ? AND e.position = ${position}`,
  auditWalk: (org, after) => ({
    where: 'e.org = ? AND e.position > ?',
    params: [org, after],
    order: 'e.position',
  }),
  // The OFFSET keeps the planner from turning the join round: `from` leads, row by row.
  lookup: (from, table, seq) =>
    `${from} CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE org = ? AND unlisted = ? AND seq = ${seq} OFFSET 0) AS t`,
  // A list of values in the condition would be cheaper by one big walk, the planner thinks while it has no statistics.
  seek: (table, column, _index, forUpdate = false) =>
    `json_array_elements_text(?::text::json) AS wanted(value) CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE org = ? AND ${column} = wanted.value OFFSET 0${forUpdate ? ' FOR UPDATE' : ''}) AS t`,
  arrayOf: (expression) => `coalesce(json_agg(${expression})::text, '[]')`,
  fromArray: {
    from: 'json_array_elements_text(?::text::json) AS n(value)',
    where: 'n.value IS NOT NULL',
    seq: 'n.value::bigint',
    order: 'n.value::bigint',
  },
  amongTexts: (column) => `${column} = ANY (ARRAY(SELECT json_array_elements_text(?::text::json)))`,
  // With what it has as statistics, it would else find some other way, and a wrong one as long as it has none.
  unindexed: (column, type) => (type === 'text' ? `(${column} || '')` : `(${column} + 0)`),
  holds: (column) => `strpos(${column}, ?) > 0`,
  nowMs: 'CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)',
  later: (one, other) => `greatest(${one}, ${other})`,
  forUpdate: ' FOR UPDATE',
  substringPath: (table, column, _substrings, needle) => {
    const path = substringPath(table, column, [needle])
    const pieces = piecesOf(needle)
    if (pieces.length <= piecesChosen) return path
    const tests = pieces.map((piece) => ({ sql: `strpos(t.${column}, ?) > 0`, params: [piece] }))
    const fewest = (chosen: readonly number[]) =>
      substringPath(
        table,
        column,
        chosen.slice(0, piecesChosen).map((at) => pieces[at] ?? ''),
      )
    return { ...path, pieces: { tests, path: fewest } }
  },
  // It finds its own way from the tests, and would take these for joins to plan.
  testsByIndex: false,
  chainsAuditTrail: true,
  chunkRows: Number.POSITIVE_INFINITY,
}

/** So long are the pieces of a text that are looked up, of so many of them, and so many are chosen. */
const pieceLength = 4
const piecesMaximum = 48
const piecesChosen = 2

/**
 * The index seeks every trigram of a text for each row that has its rarest: of a whole address that is slow. It knows of
 * letters and digits only, so a piece has some of them, and those that have nothing else come first.
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

/** The way to the rows that hold all the texts, by their trigrams. */
function substringPath(table: string, column: string, texts: readonly string[]): AccessPath {
  const patterns = texts.map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`)
  return {
    ordered: false,
    ownTable: false,
    sample: { columns: `t.${column}`, narrowIndex: false },
    from: `${table} d`,
    // Expressions, so that no other index than that of the trigrams fits.
    where: ['d.org + 0 = ?', ...patterns.map(() => `d.${column} LIKE ?`)].join(' AND '),
    params: (org) => [org, ...patterns],
    seq: 'd.seq + 0',
    order: 'd.seq',
  }
}
