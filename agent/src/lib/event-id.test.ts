import { HeartbeatEvent } from '@muster/contract/agent/agent-event'
import { matches } from '@muster/contract/api/matches'
import { expect, test } from 'vitest'
import { eventId } from './event-id.ts'

test('the ID has time, version and variant at the positions of RFC 9562', () => {
  const ones = new Uint8Array(10).fill(0xff)
  expect(eventId(0x01937b5e6c3a, ones)).toBe('01937b5e-6c3a-7fff-bfff-ffffffffffff')
  expect(eventId(0, new Uint8Array(10))).toBe('00000000-0000-7000-8000-000000000000')
})

test('IDs match the contract and are unique', () => {
  const ids = Array.from({ length: 2000 }, () => eventId(Date.now()))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(matches(HeartbeatEvent.properties.id, id)).toBe(true)
})

test('later IDs sort after earlier ones', () => {
  expect(eventId(1_763_712_000_001) > eventId(1_763_712_000_000)).toBe(true)
})
