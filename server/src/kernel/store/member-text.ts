import { foldAscii } from '../lib/fold-case.ts'
import type { Dialect, Param } from './sql.ts'

/** Returns SQL for the text of a member of a record `t`. `path` comes from the contract, never from a request. */
export const memberValue = (dialect: Dialect, path: string): string =>
  dialect.name === 'sqlite'
    ? `json_extract(t.record, '$.${path}')`
    : `((t.record::json #>> '{${path.replaceAll('.', ',')}}') COLLATE "C")`

/** Returns SQL for the lowercase text of a member of a record. */
const memberText = (dialect: Dialect, path: string): string => `lower(${memberValue(dialect, path)})`

/**
 * Returns the condition that one of the members contains a text, ignoring case for the letters A to Z. The JSON text of the
 * record is searched first: to parse it costs many times as much, and most records do not contain the text at all.
 */
export function membersContain(
  dialect: Dialect,
  paths: readonly string[],
  text: string,
): { sql: string; params: readonly Param[] } {
  const needle = foldAscii(text)
  const contains = (hay: string) =>
    dialect.name === 'sqlite' ? `instr(${hay}, ?) > 0` : `strpos(${hay}, ?) > 0`
  const members = paths.map((path) => contains(memberText(dialect, path))).join(' OR ')
  // JSON escapes these characters, so the text of the record would not match.
  const escaped = /["\\]|\p{Cc}/u.test(needle)
  return {
    sql: escaped ? `(${members})` : `(${contains('lower(t.record)')} AND (${members}))`,
    params: [...(escaped ? [] : [needle]), ...paths.map(() => needle)],
  }
}
