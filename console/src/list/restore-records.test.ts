import { describe, expect, test } from 'vitest'
import { restoreRecords } from './restore-records.ts'

const list = (...pages: string[]) => ({
  pages: pages.map((page) => ({ records: Array.from(page, (id) => ({ id })) })),
})
const texts = ({ pages }: ReturnType<typeof list>) =>
  pages.map(({ records }) => records.map(({ id }) => id).join(''))

describe('restoring removed records', () => {
  test.each([
    ['the first', ['bc'], ['abc'], 'a', ['abc']],
    ['the last', ['ab'], ['abc'], 'c', ['abc']],
    ['several on several pages', ['b', 'd'], ['abc', 'de'], 'ace', ['abc', 'de']],
    ['all records', [''], ['abc'], 'abc', ['abc']],
    ['only the requested ones', ['c'], ['abc'], 'a', ['ac']],
  ])('restores the position: %s', (_, now, before, ids, expected) => {
    expect(texts(restoreRecords(list(...now), list(...before), new Set(ids)))).toEqual(expected)
  })

  test('restores the position, whichever of two actions is undone first', () => {
    const whole = list('abcd')
    const afterFirst = list('acd')
    const both = list('ad')
    const firstBack = restoreRecords(both, whole, new Set('b'))
    expect(texts(restoreRecords(firstBack, afterFirst, new Set('c')))).toEqual(['abcd'])
    const secondBack = restoreRecords(both, afterFirst, new Set('c'))
    expect(texts(restoreRecords(secondBack, whole, new Set('b')))).toEqual(['abcd'])
  })

  test('adds no duplicate if the list was reloaded meanwhile', () => {
    expect(texts(restoreRecords(list('xa', 'bc'), list('ab', 'c'), new Set('b')))).toEqual(['xa', 'bc'])
  })
})
