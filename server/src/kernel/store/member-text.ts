import { foldAscii } from '../lib/fold-case.ts'
import type { Dialect, Param } from './sql.ts'

/** The text of a member of a record, folded; `path` is made of names of the contract. */
function memberText(dialect: Dialect, path: string): string {
  return dialect.name === 'sqlite'
    ? `lower(json_extract(t.record, '$.${path}'))`
    : `lower((t.record::json #>> '{${path.replaceAll('.', ',')}}') COLLATE "C")`
}

/**
 * A condition that a member of the record holds a text, without case for the letters A to Z. The record as a whole is
 * looked at first: to take it apart costs many times as much, and most have the text nowhere.
 */
export function membersHold(
  dialect: Dialect,
  paths: readonly string[],
  text: string,
): { sql: string; params: readonly Param[] } {
  const needle = foldAscii(text)
  const found = (hay: string) =>
    dialect.name === 'sqlite' ? `instr(${hay}, ?) > 0` : `strpos(${hay}, ?) > 0`
  const members = paths.map((path) => found(memberText(dialect, path))).join(' OR ')
  // In the record's text, these characters are written otherwise.
  const escaped = /["\\]|\p{Cc}/u.test(needle)
  return {
    sql: escaped ? `(${members})` : `(${found('lower(t.record)')} AND (${members}))`,
    params: [...(escaped ? [] : [needle]), ...paths.map(() => needle)],
  }
}
