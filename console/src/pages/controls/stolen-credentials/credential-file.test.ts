import { expect, test } from 'vitest'
import { readCredentialFile } from './credential-file.ts'

const sha1 = '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8'
const ada = { email: 'ada@example.com', password: 'correct horse' }

test.each([
  ['a CSV with a header', 'Email,Password\nada@example.com,correct horse\n', [ada]],
  [
    'a CSV whose columns are in another order',
    'source;password;login\nx;correct horse;ada@example.com',
    [ada],
  ],
  ['a CSV without a header', 'ada@example.com,correct horse', [ada]],
  ['lines with a colon', 'ada@example.com:a:b', [{ email: 'ada@example.com', password: 'a:b' }]],
  ['quoted cells', '"ada@example.com","a ""b"", c"', [{ email: 'ada@example.com', password: 'a "b", c' }]],
  ['a SHA-1 without a header', `ada@example.com,${sha1}`, [{ email: 'ada@example.com', passwordSha1: sha1 }]],
  [
    'a SHA-1 column',
    `email,sha1\nada@example.com,${sha1}`,
    [{ email: 'ada@example.com', passwordSha1: sha1 }],
  ],
  ['JSON', JSON.stringify([ada]), [ada]],
  ['JSON as the API takes it', JSON.stringify({ source: 'x', credentials: [ada] }), [ada]],
  ['JSON Lines', `${JSON.stringify(ada)}\n${JSON.stringify(ada)}`, [ada, ada]],
  ['a file with a byte order mark', `\uFEFFemail,password\r\nada@example.com,correct horse`, [ada]],
])('reads %s', (_name, text, credentials) => {
  expect(readCredentialFile(text)).toEqual({ credentials, wrong: [] })
})

test('reports invalid lines and reads the others', () => {
  const text = `email,password\nada@example.com,correct horse\n\nnobody,x\nbob@example.com,\n`
  expect(readCredentialFile(text)).toEqual({
    credentials: [ada],
    wrong: [
      { place: 'Line 4', message: 'The e-mail address is missing or invalid.' },
      { place: 'Line 5', message: 'The password or its SHA-1 is missing.' },
    ],
  })
  expect(readCredentialFile('{"email":"ada@example.com","passwordSha1":"12"}\n{nope').wrong).toEqual([
    { place: 'Line 1', message: 'A SHA-1 must have 40 hexadecimal digits.' },
    { place: 'Line 2', message: 'The line is not valid JSON.' },
  ])
  expect(readCredentialFile(' ').wrong).toEqual([{ place: 'File', message: 'The file is empty.' }])
})

test('normalizes and validates addresses like the API', () => {
  const lines = ['jose\u0301@example.com,x', 'a..b@example.com,x', 'user@-bad.com,x', 'ada@example.com,x']
  const { credentials, wrong } = readCredentialFile(lines.join('\n'))
  expect(credentials.map(({ email }) => email)).toEqual(['jos\u00e9@example.com', 'ada@example.com'])
  expect(wrong.map(({ place }) => place)).toEqual(['Line 2', 'Line 3'])
})
