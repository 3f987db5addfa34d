import { foldCase } from '../lib/fold-case.ts'
import { indexedText } from './indexed-text.ts'
import type { Param } from './sql.ts'
import type { Column, Side, Table } from './tables.ts'

/** What stands in a column for a value of a record or of a filter. */
export function columnValue(column: Column, value: unknown): Param {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return value
  if (typeof value !== 'string') throw new TypeError(`column ${column.name} cannot hold ${typeof value}`)
  return column.search === 'substring' ? foldCase(value) : indexedText(value)
}

/** What stands in a side table for one element of an array. */
export const sideValue = (side: Pick<Side, 'foldsCase'>, value: string): string =>
  indexedText(side.foldsCase ? foldCase(value) : value)

/** The values of an array member, each once. */
export function sideValues(side: Side, record: Readonly<Record<string, unknown>>): string[] {
  const values = record[side.member]
  if (!Array.isArray(values)) return []
  const stood = values.map((value) => sideValue(side, String(value)))
  // A set would make the engine keep each of these texts: for the usual few of them, looking is much cheaper.
  return stood.length > 32 ? [...new Set(stood)] : stood.filter((value, at) => stood.indexOf(value) === at)
}

/** The filter columns of a record, in the table's order. */
export const columnValues = (table: Table, record: Readonly<Record<string, unknown>>): Param[] =>
  table.columns.map((column) => columnValue(column, record[column.member]))

/** The three-character runs of a text, each once: what the substring index of SQLite is made of. */
export function trigrams(text: string): string[] {
  const characters = [...text]
  const grams = new Set<string>()
  for (let at = 0; at + 3 <= characters.length; at++) grams.add(characters.slice(at, at + 3).join(''))
  return [...grams]
}
