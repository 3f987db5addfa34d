import { expect, test } from 'vitest'
import { fastTests, slowSupport } from './fast-tests.ts'

test('a support module is slow if it starts a program, or imports one that does', () => {
  const slow = slowSupport()
  for (const name of ['private-server', 'pgbouncer', 'rsyslog', 'relay', 'command-line', 'database'])
    expect(slow).toContain(name)
  for (const name of ['harness', 'webhook-world', 'client-server', 'fixtures', 'until'])
    expect(slow).not.toContain(name)
})

test('fast tests include those through HTTP, without those that start a program', () => {
  const tests = fastTests()
  expect(tests).toContain('server/src/kernel/http/v1-requests.test.ts')
  expect(tests).not.toContain('server/src/kernel/store/postgres/pgbouncer.test.ts')
  expect(tests).not.toContain('server/src/modules/organizations/org-remove.command.test.ts')
})
