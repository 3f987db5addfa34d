import { expect, test } from 'vitest'
import { bannerId } from './banner-id.ts'

test.each([
  ['Use Slack instead!', [], 'use-slack-instead'],
  ['Früher Hinweis', [], 'fru-her-hinweis'],
  ['日本', [], 'banner'],
  ['Use Slack', ['use-slack', 'use-slack-2'], 'use-slack-3'],
])('the banner %j gets a unique ID', (title, taken, id) => {
  expect(bannerId(title, taken)).toBe(id)
})

test('an ID has at most 64 characters', () => {
  expect(bannerId('x'.repeat(200), ['x'.repeat(48)]).length).toBeLessThanOrEqual(64)
})
