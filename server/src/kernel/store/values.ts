import { foldCase } from '../lib/fold-case.ts'
import type { Param } from './sql.ts'
import { type Column, indexedText, type Side, type Table } from './tables.ts'

/** Returns the column value for a value of a record or a filter. */
export function columnValue(column: Column, value: unknown): Param {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return value
  if (typeof value !== 'string') throw new TypeError(`column ${column.name} cannot hold ${typeof value}`)
  return column.search === 'substring' ? foldCase(value) : indexedText(value)
}

/** Returns the side table value for an element of an array. */
export const sideValue = (side: Pick<Side, 'foldsCase'>, value: string): string =>
  indexedText(side.foldsCase ? foldCase(value) : value)

/** Returns the distinct side table values of an array member. */
export function sideValues(side: Side, record: Readonly<Record<string, unknown>>): string[] {
  const values = record[side.member]
  if (!Array.isArray(values)) return []
  const elements = values.map((value) => sideValue(side, String(value)))
  // For the usual few elements, a linear search is much cheaper than a Set.
  return elements.length > 32
    ? [...new Set(elements)]
    : elements.filter((value, at) => elements.indexOf(value) === at)
}

/** Returns the filter columns of a record, in the order of the table. */
export const columnValues = (table: Table, record: Readonly<Record<string, unknown>>): Param[] =>
  table.columns.map((column) => columnValue(column, record[column.member]))

/** Returns the distinct trigrams of a text, the keys of SQLite's substring index. */
export function trigrams(text: string): string[] {
  const characters = [...text]
  const grams = new Set<string>()
  for (let at = 0; at + 3 <= characters.length; at++) grams.add(characters.slice(at, at + 3).join(''))
  return [...grams]
}
