import { expect, test } from 'vitest'
import { csvLine } from './csv.rules.ts'

test('quotes cells with commas, quotes or line ends', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain', 3, true, null])).toBe(
    '"a,b","say ""hi""","two\nlines",plain,3,true,\r\n',
  )
})

test('writes lists and objects as JSON', () => {
  expect(csvLine([['x', 'y'], { a: 1 }])).toBe('"[""x"",""y""]","{""a"":1}"\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠x'])(
  '%j is no formula for a spreadsheet',
  (text) => {
    expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/)
  },
)
