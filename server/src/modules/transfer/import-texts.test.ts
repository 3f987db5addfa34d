import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import {
  aBlockedUrl,
  aBrowserExtension,
  anAccount,
  anApp,
  anEmployee,
} from '../../../../test/support/fixtures.ts'

const oneLine = 'must not contain control characters, line breaks or text-direction controls'
const cli = useCommandLine('sqlite')

const rejectsOf = async (name: string, lines: readonly object[]): Promise<unknown[]> => {
  cli.file(`${name}.jsonl`, lines)
  await cli.run(`import ${name}.jsonl --rejects ${name}.rejects`)
  const text = readFileSync(join(cli.folder, `${name}.rejects`), 'utf8')
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    const { file, line: number, reason } = JSON.parse(line)
    return [[String(file).split('/').at(-1), number, reason]]
  })
}

const recordsIn = (folder: string, name: string): Record<string, unknown>[] =>
  readFileSync(join(cli.folder, folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

test('texts that the API would refuse are rejected with file, line and reason; other lines are imported', async () => {
  const employees = [
    anEmployee(),
    anEmployee({ firstName: 'a\u202eb' }),
    anEmployee({ groups: ['fine', 'a\nb'] }),
    anEmployee({ email: 'a..b@example.com' }),
    anEmployee({ secondaryEmails: ['user@-bad.com'] }),
    anEmployee({ email: 'a-user-name' }),
    anEmployee({ email: 'jose\u0301@example.com', groups: [' Cafe\u0301 ', 'Caf\u00e9'] }),
  ]
  expect(await rejectsOf('employees', employees)).toEqual([
    ['employees.jsonl', 2, `firstName ${oneLine}`],
    ['employees.jsonl', 3, `groups[1] ${oneLine}`],
    ['employees.jsonl', 4, 'email must be an e-mail address'],
    ['employees.jsonl', 5, 'secondaryEmails[0] must be an e-mail address'],
  ])
  await cli.run('export employees-out')
  const kept = recordsIn('employees-out', 'employees')
  expect(kept.map(({ email }) => email)).toEqual([
    employees[0]?.email,
    'a-user-name',
    'jos\u00e9@example.com',
  ])
  expect(kept.at(-1)?.groups).toEqual(['Caf\u00e9'])
  const apps = [
    anApp({ labels: ['a\u2028b'] }),
    anApp({ notes: 'one\n\ttwo' }),
    anApp({ notes: 'a\u0007' }),
    anApp({ type: 'b', labels: ['x'] }),
  ]
  expect(await rejectsOf('apps', apps)).toEqual([
    ['apps.jsonl', 1, `labels[0] ${oneLine}`],
    [
      'apps.jsonl',
      3,
      'notes must not contain control characters, except line breaks and tabs, or text-direction controls',
    ],
  ])
})

test('browser reports are imported unchanged, including patterns for public suffixes, except home pages that are not http(s)', async () => {
  const odd = '\u202egpj\u0007\n'
  expect(await rejectsOf('accounts', [anAccount({ email: `a${odd}b` })])).toEqual([])
  const extensions = [aBrowserExtension({ name: odd, description: odd, homePageUrl: 'javascript:alert(1)' })]
  expect(await rejectsOf('browserExtensions', extensions)).toEqual([])
  expect(
    await rejectsOf('blockedUrls', [aBlockedUrl({ url: '*.com' }), aBlockedUrl({ url: 'com' })]),
  ).toEqual([])
  await cli.run('export out')
  expect(recordsIn('out', 'browserExtensions')).toEqual([{ ...extensions[0], homePageUrl: null }])
  expect(recordsIn('out', 'accounts')[0]?.email).toBe(`a${odd}b`)
})
