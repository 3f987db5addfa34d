import { expect, test } from 'vitest'
import { eraseCommand } from './erase-command.ts'

const ada = { id: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90', email: 'ada@example.com' }

test('names the organization, unless it is the one without --org', () => {
  expect(eraseCommand(ada, 'default')).toBe('muster employee erase ada@example.com --yes')
  expect(eraseCommand(ada, 'emea')).toBe('muster employee erase ada@example.com --org emea --yes')
})

test('quotes for the shell', () => {
  expect(eraseCommand({ ...ada, email: "o'neil&co@example.com" }, 'Acme $HOME')).toBe(
    "muster employee erase 'o'\\''neil&co@example.com' --org 'Acme $HOME' --yes",
  )
  expect(eraseCommand({ ...ada, email: '--yes@example.com' }, 'default')).toContain(ada.id)
})
