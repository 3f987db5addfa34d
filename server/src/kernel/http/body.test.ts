import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { parseJson } from './body.ts'

const parsed = (text: string): unknown => parseJson(Buffer.from(text))

describe('JSON', () => {
  test('is parsed unchanged, whatever its strings contain', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.string({ unit: fc.constantFrom(...'[{]}"\\n') }),
        (value, odd) => {
          const all = { [odd]: [value, odd] }
          expect(parsed(JSON.stringify(all))).toEqual(JSON.parse(JSON.stringify(all)))
          expect(parsed(JSON.stringify(all, null, 2))).toEqual(JSON.parse(JSON.stringify(all)))
        },
      ),
    )
  })

  test.each([
    ['[', ']'],
    ['{"a[":', '}'],
    ['[{"\\"{": ', '}]'],
  ])('with nested %s is parsed up to 64 levels and rejected beyond', (open, close) => {
    const each = open.startsWith('[{') ? 2 : 1
    const nested = (times: number) => `${open.repeat(times)}"[{"${close.repeat(times)}`
    expect(parsed(nested(64 / each))).toEqual(JSON.parse(nested(64 / each)))
    expect(parsed(`[${nested(63 / each)},${nested(63 / each)}]`)).toHaveLength(2)
    expect(() => parsed(nested(64 / each + 1))).toThrow('body must have at most 64 levels')
  })

  test('that is invalid is rejected with the position, also if the rest is nested deeply', () => {
    expect(() => parsed(`["\n${'['.repeat(90_000)}`)).toThrow('too deep to find the error')
    expect(() => parsed(`["\n${'['.repeat(90)}`)).toThrow('error at line 1, column 2')
    expect(() => parsed('['.repeat(900_000))).toThrow('body must have at most 64 levels')
  })
})
