import { expect, test } from 'vitest'
import { entriesOf, extensionIdIn, listsOf } from './extension-entries.ts'

const id = (letter: string) => letter.repeat(32)

test('merges both lists and splits them again', () => {
  const lists = {
    blockedExtensionIds: [id('a'), id('b')],
    badExtensions: [
      { extensionId: id('b'), risk: 'HIGH' as const },
      { extensionId: id('c'), risk: 'LOW' as const },
    ],
  }
  const entries = entriesOf(lists)
  expect(entries).toEqual([
    { extensionId: id('a'), blocked: true, risk: null },
    { extensionId: id('b'), blocked: true, risk: 'HIGH' },
    { extensionId: id('c'), blocked: false, risk: 'LOW' },
  ])
  expect(listsOf(entries)).toEqual(lists)
})

test('omits entries without a decision', () => {
  expect(listsOf([{ extensionId: id('a'), blocked: false, risk: null }])).toEqual({
    blockedExtensionIds: [],
    badExtensions: [],
  })
})

test.each([
  [` ${id('a')} `, id('a')],
  [`https://chromewebstore.google.com/detail/some-name/${id('b')}?hl=en`, id('b')],
  ['{d10d0bf8-f5b5-c8b4-a8b2-2b9879e08c5d}', '{d10d0bf8-f5b5-c8b4-a8b2-2b9879e08c5d}'],
  ['uBlock0@raymondhill.net', 'uBlock0@raymondhill.net'],
  [`some text ${id('a')}`, undefined],
  ['a'.repeat(33), undefined],
  ['https://example.com/', undefined],
  ['', undefined],
])('extracts from %j the ID %s', (line, found) => {
  expect(extensionIdIn(line)).toBe(found)
})
