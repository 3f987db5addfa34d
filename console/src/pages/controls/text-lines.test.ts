import { expect, test } from 'vitest'
import { chunks, contentLines } from './text-lines.ts'

test('keeps line numbers and skips blank lines and comments', () => {
  expect(contentLines('# feed\r\n\n  a.example \nb.example\r')).toEqual([
    { line: 3, text: 'a.example' },
    { line: 4, text: 'b.example' },
  ])
})

test('splits elements into chunks in order', () => {
  expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(chunks([], 2)).toEqual([])
})
