import { expect, test } from 'vitest'
import { leanEntrypoints } from './lean-entrypoints.ts'

const { load } = leanEntrypoints()

test('a page script is built as a plain call of its main function', () => {
  expect(load('\0virtual:wxt-unlisted-script-entrypoint?/any/src/entrypoints/loader.ts')).toBe(
    'import script from "/any/src/entrypoints/loader.ts"\nscript.main()\n',
  )
})

test('other entrypoints are left unchanged', () => {
  expect(load('\0virtual:wxt-background-entrypoint?/any/src/entrypoints/background.ts')).toBeNull()
})
