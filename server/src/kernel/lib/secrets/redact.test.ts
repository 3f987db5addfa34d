import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newBrowserCredential, newEnrollmentToken } from './agent-token.ts'
import { newApiKey } from './api-key.ts'
import { mask, maskSecrets, maskUrlPassword, redactPaths } from './redact.ts'

test('an API key in a text is masked but stays recognizable', () => {
  const { key, start } = newApiKey()
  expect(maskSecrets(`GET /v1/apps?k=${key}, again ${key}.`)).toBe(
    `GET /v1/apps?k=${start}${mask}, again ${start}${mask}.`,
  )
  expect(maskSecrets(key.slice(0, 20))).toBe(`${start}${mask}`)
})

test('the token of an enrollment link is masked', () => {
  expect(maskSecrets('https://muster.example.com/enroll/Abc_-9?x=1')).toBe(
    `https://muster.example.com/enroll/${mask}?x=1`,
  )
})

test('the credential of a browser and the token of managed enrollment are masked', () => {
  const [credential, token] = [newBrowserCredential(), newEnrollmentToken()]
  expect(maskSecrets(`Bearer ${credential}, {"token":"${token}"}`)).toBe(
    `Bearer mbc_${mask}, {"token":"met_${mask}"}`,
  )
})

test('a text without secrets is unchanged', () => {
  expect(maskSecrets('mstr_ is the prefix; nothing to enroll')).toBe('mstr_ is the prefix; nothing to enroll')
})

test('the password of a URL is masked, the rest is kept', () => {
  expect(maskUrlPassword('postgres://muster:pa%20ss@db:5432/muster')).toBe(
    'postgres://muster:***@db:5432/muster',
  )
  expect(maskUrlPassword('redis://:secret@cache')).toBe('redis://:***@cache')
  expect(maskUrlPassword('postgres://db/muster?user=a&password=b')).toBe(
    'postgres://db/muster?user=a&password=***',
  )
  expect(maskUrlPassword('postgres://db/muster')).toBe('postgres://db/muster')
  expect(maskUrlPassword('no address: secret')).toBe(mask)
})

test('pino writes none of the redacted members', () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = pino({ redact: [...redactPaths] }, stream)
  log.info(
    {
      req: { headers: { 'x-api-key': 'leak', cookie: 'leak', accept: 'kept' } },
      body: { password: 'leak' },
      token: 'leak',
    },
    'done',
  )
  expect(lines.join('')).toContain('kept')
  expect(lines.join('')).not.toContain('leak')
})
