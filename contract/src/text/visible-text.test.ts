import { expect, test } from 'vitest'
import { visibleLine, visibleText } from './visible-text.ts'

test('makes control characters and text-direction controls visible; line breaks and tabs only in single-line text', () => {
  expect(visibleText('a\u0007\u001b[31m\u009b\u202eb\u2028\n\t\r')).toBe(
    'a\\u0007\\u001b[31m\\u009b\\u202eb\\u2028\n\t\r',
  )
  expect(visibleLine('a\n\tb')).toBe('a\\u000a\\u0009b')
})

test('leaves other texts unchanged', () => {
  const text = "Zoë 👩‍💻 می‌خواهم 🏴󠁧󠁢󠁳󠁣󠁴󠁿 שרה \\u202e <b>'"
  expect([visibleText(text), visibleLine(text)]).toEqual([text, text])
})

test('keeps the value of JSON', () => {
  const value = { a: 'x\u202e\u0007\u0085\u2028\n', '\u202e': ['\ufeff'] }
  expect(JSON.parse(visibleText(JSON.stringify(value)))).toEqual(value)
})
