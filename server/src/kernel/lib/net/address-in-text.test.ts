import { describe, expect, test } from 'vitest'
import { mentionsAddress } from './address-in-text.ts'

const names = (text: string) => mentionsAddress(text, ['ann@acme.com', 'ann.é@acme.com'])

describe('finds an address', () => {
  test.each([
    'ann@acme.com',
    '{"email":"ann@acme.com"}',
    'of joann@acme.com and ann@acme.com',
    'Ask ann@acme.com. She knows.',
    "it was 'ann@acme.com'",
    '<ann@acme.com>, (ann@acme.com)',
    'mailto:ann@acme.com',
    'https://acme.com/?user=ann@acme.com&x=1',
    'https://acme.com/ann@acme.com/x',
    'https://acme.com/%20ann@acme.com',
    '{"name":"ann.é@acme.com"}',
    String.raw`{"text":"x\nann@acme.com"}`,
    String.raw`{"text":"x\t'ann@acme.com'\n"}`,
    String.raw`{"text":"\u00a0ann@acme.com"}`,
    String.raw`{"text":"\"ann@acme.com\""}`,
  ])('%s', (text) => {
    expect(names(text)).toBe(true)
  })
})

describe('does not find an address within a longer one', () => {
  test.each([
    'joann@acme.com',
    'jo.ann@acme.com',
    "o'ann@acme.com",
    'x+ann@acme.com',
    'zoëann@acme.com',
    '7-_ann@acme.com',
    'ann@acme.com.au',
    'ann@acme.com-example.org',
    'ann@acme.community',
    'ann@acme.comé',
    'ann.é@acme.com.𝔞',
    '{"email":"ann@acme.org"}',
    String.raw`{"text":"c:\\joann@acme.com"}`,
  ])('%s', (text) => {
    expect(names(text)).toBe(false)
  })
})
