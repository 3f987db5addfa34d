import { expect, test } from 'vitest'
import { narrowColumns, withWidths } from './column-widths.ts'
import type { Column } from './list-plan.ts'

const column = (id: string, more: Partial<Column<object>> = {}): Column<object> => ({
  id,
  title: id,
  csv: id,
  width: 'minmax(100px, 1fr)',
  render: () => id,
  ...more,
})
const added = column('added', { time: true, sort: 'creationTimestamp' })
const used = column('used', { time: true, sort: 'lastUsedTimestamp' })
const columns = [column('name'), added, column('mail'), column('state'), used, column('place')]
const idsOf = (some: readonly Column<object>[]) => some.map(({ id }) => id)

test('a phone shows three columns and the sorted or first time column', () => {
  expect(idsOf(narrowColumns(columns, undefined))).toEqual(['name', 'mail', 'state', 'added'])
  expect(idsOf(narrowColumns(columns, '-lastUsedTimestamp'))).toEqual(['name', 'mail', 'state', 'used'])
  expect(idsOf(narrowColumns([column('name')], 'name'))).toEqual(['name'])
})

test('applies custom widths and keeps the others', () => {
  const [name, mail] = withWidths([column('name'), column('mail')], { name: 240, gone: 3 })
  expect([name?.width, mail?.width]).toEqual(['240px', 'minmax(100px, 1fr)'])
})
