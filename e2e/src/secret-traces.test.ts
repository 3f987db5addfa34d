import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findTraces, tracesOf } from './secret-traces.ts'

const password = 'Tr0ub4dor & 3/ä'
const salt = '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11'
const traces = tracesOf(password, [salt])
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex')

const uuidOf = (hex: string) => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

test.each([
  ['clear', `{"email":"x","note":"${password}"}`],
  ['in an address', `/log?p=${encodeURIComponent(password)}&x=1`],
  ['in a form', new URLSearchParams({ a: 'b', password }).toString()],
  ['in base64 at any offset', Buffer.from(`x${password}yz`).toString('base64')],
  ['in base64 at an offset of two', Buffer.from(`xy${password}`).toString('base64')],
  ['in hexadecimal', Buffer.from(`..${password}`).toString('hex').toUpperCase()],
  ['as SHA-1', hash('sha1', password).toUpperCase()],
  ['as SHA-256', hash('sha256', password)],
  ['as a longer prefix than the range lookup may send', hash('sha1', password).slice(0, 9)],
  ['as the fingerprint', hash('sha256', salt + password).slice(0, 8)],
  ['as an ID derived from its hash', uuidOf(hash('sha256', salt + password))],
  ['as an ID that ends with its hash', uuidOf(`${'0'.repeat(20)}${hash('md5', password)}`)],
])('a password is found %s', (_, text) => {
  expect(findTraces(text, traces)).not.toEqual([])
})

test('the range prefix and random IDs are allowed, even one that starts like a fingerprint', () => {
  const prefix = hash('sha1', password).slice(0, 5).toUpperCase()
  const chance = hash('sha256', salt + password).slice(0, 8)
  for (const id of ['01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90', `${chance}-6c3a-7d21-9f4e-2a8c5b7d1e90`])
    expect(findTraces(`/agent/v1/range/${prefix} ${id}`, traces)).toEqual([])
})
