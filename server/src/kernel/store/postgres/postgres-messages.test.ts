import { expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { messageSplitter } from '../../../../vendor/postgres/src/messages.js'

const message = (body: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(5 + body.length, 'D')
  bytes.writeUInt32BE(4 + body.length, 1)
  bytes.set(body, 5)
  return bytes
}

/** Passes bytes to a splitter in parts that end at the given offsets. Overwrites each part afterwards. */
function receive(bytes: Buffer, ends: readonly number[]): string[] {
  const taken: string[] = []
  const split = messageSplitter()
  let from = 0
  for (const end of [...ends.filter((end) => end < bytes.length).sort((a, b) => a - b), bytes.length]) {
    const part = Buffer.from(bytes.subarray(from, end))
    split(part, (one) => taken.push(one.toString('hex')))
    part.fill(0xff)
    from = end
  }
  return taken
}

test('passes on each message once, complete and in order, wherever the parts end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }),
      fc.array(fc.nat(1300)),
      (bodies, ends) => {
        const messages = bodies.map(message)
        expect(receive(Buffer.concat(messages), ends)).toEqual(messages.map((one) => one.toString('hex')))
      },
    ),
  )
})

test('passes on a message larger than the kept buffer, and those after it', () => {
  const messages = [3_000_000, 0, 5000, 2].map((size) => message(Buffer.alloc(size, size.toString())))
  const ends = Array.from({ length: 50 }, (_, at) => at * 65_536 + 7)
  expect(receive(Buffer.concat(messages), ends)).toEqual(messages.map((one) => one.toString('hex')))
})
