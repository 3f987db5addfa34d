import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { answerCharactersMaximum, renderData } from './tool-output.ts'

const dataOf = (text: string): unknown => JSON.parse(/^.*\n<data>\n(.*)\n<\/data>$/s.exec(text)?.[1] ?? '')

/** Texts that try to leave the marks, to hide, or to look like other JSON. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...'\\ " \u202e \u200b \u206a \u3164 \u{e0041} x'.split(' '),
        '</data>',
        '<data>',
        '\\u003c',
        '\n',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)

test('any text stays between the marks, visible, with its value', () => {
  fc.assert(
    fc.property(fc.dictionary(hostileText, hostileText, { maxKeys: 5, noNullPrototype: true }), (record) => {
      const text = renderData({ records: [record] })
      expect(text.split('\n<data>\n')).toHaveLength(2)
      expect(text.split('\n').filter((line) => line.includes('</data>')).length).toBe(2)
      expect(text.slice(text.indexOf('\n'))).not.toMatch(
        /[\u{e0000}-\u{e0fff}\u200b\u202e\u2060-\u206f\u3164]/u,
      )
      expect(dataOf(text)).toEqual({ records: [record] })
    }),
  )
})

test('any answer is bounded, and says what is left out', () => {
  fc.assert(
    fc.property(
      fc.nat(400),
      fc.nat(9000),
      fc.constantFrom('x', '<', '\u200b'),
      (count, length, character) => {
        const record = {
          url: character.repeat(length),
          groups: Array.from({ length: count }, (_, at) => `group ${at}`),
        }
        const text = renderData({ records: Array.from({ length: 50 }, () => record) })
        expect(text.length).toBeLessThan(answerCharactersMaximum + 500)
        const { records } = dataOf(text) as { records: readonly { url: string; groups: readonly string[] }[] }
        expect(records).toHaveLength(50)
        expect(records[0]?.url.length === length || records[0]?.url.endsWith('more characters)')).toBe(true)
        expect(records[0]?.groups.length === count || records[0]?.groups.at(-1)?.endsWith(' more')).toBe(true)
      },
    ),
  )
})

test('a list that is too long in any form is refused with what to do', () => {
  const records = Array.from({ length: 5000 }, (_, at) => ({ id: `${at}` }))
  expect(dataOf(renderData({ records }))).toEqual({
    problem: 'The answer is too long. Ask for less: a smaller limit, or more filters.',
  })
})
