import { expect, test } from 'vitest'
import { trimmedUrl } from './trimmed-url.ts'

test.each([
  ['https://ada:secret@app.example.com:8443/a/b?token=1#top', 'https://app.example.com:8443/a/b'],
  ['http://EXAMPLE.com', 'http://example.com/'],
  ['https://[2001:db8::1]/x', 'https://[2001:db8::1]/x'],
  ['about:blank', null],
  ['data:text/html,x', null],
  ['javascript:alert(1)', null],
  ['blob:https://example.com/8c1f', null],
  ['chrome-extension://ibldkgglafofgpgdbkgkanfdkbdgpakh/popup.html', null],
  ['not an address', null],
  ['', null],
  [null, null],
  [`https://example.com/${'x'.repeat(8192)}`, null],
])('%j is reported as %j', (address, reported) => {
  expect(trimmedUrl(address)).toBe(reported)
})
