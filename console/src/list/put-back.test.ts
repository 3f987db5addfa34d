import { describe, expect, test } from 'vitest'
import { putBack } from './put-back.ts'

const list = (...pages: string[]) => ({
  pages: pages.map((page) => ({ records: Array.from(page, (id) => ({ id })) })),
})
const texts = ({ pages }: ReturnType<typeof list>) =>
  pages.map(({ records }) => records.map(({ id }) => id).join(''))

describe('what was taken out of a list and is put back', () => {
  test.each([
    ['the first', ['bc'], ['abc'], 'a', ['abc']],
    ['the last', ['ab'], ['abc'], 'c', ['abc']],
    ['several, of several pages', ['b', 'd'], ['abc', 'de'], 'ace', ['abc', 'de']],
    ['all that there was', [''], ['abc'], 'abc', ['abc']],
    ['no more than is asked for', ['c'], ['abc'], 'a', ['ac']],
  ])('stands where it was: %s', (_, now, before, ids, expected) => {
    expect(texts(putBack(list(...now), list(...before), new Set(ids)))).toEqual(expected)
  })

  test('stands where it was, whichever of two acts is taken back first', () => {
    const whole = list('abcd')
    const afterFirst = list('acd')
    const both = list('ad')
    const firstBack = putBack(both, whole, new Set('b'))
    expect(texts(putBack(firstBack, afterFirst, new Set('c')))).toEqual(['abcd'])
    const secondBack = putBack(both, afterFirst, new Set('c'))
    expect(texts(putBack(secondBack, whole, new Set('b')))).toEqual(['abcd'])
  })

  test('is there once, also where the list was read anew meanwhile', () => {
    expect(texts(putBack(list('xa', 'bc'), list('ab', 'c'), new Set('b')))).toEqual(['xa', 'bc'])
  })
})
