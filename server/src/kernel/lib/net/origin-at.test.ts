import { expect, test } from 'vitest'
import { originAt } from './origin-at.ts'

test.each([
  ['0.0.0.0', 'https://localhost:8443'],
  ['::', 'https://localhost:8443'],
  ['0:0:0:0:0:0:0:0', 'https://localhost:8443'],
  ['127.0.0.1', 'https://127.0.0.1:8443'],
  ['::1', 'https://[::1]:8443'],
  ['2001:DB8:0:0::2', 'https://[2001:db8::2]:8443'],
  ['fe80::1%eth0', 'https://[fe80::1]:8443'],
  ['muster.example.com', 'https://muster.example.com:8443'],
])('a server that listens on %s is reached at %s', (host, origin) => {
  expect(originAt('https', host, 8443)).toBe(origin)
  expect(URL.canParse(origin)).toBe(true)
})
