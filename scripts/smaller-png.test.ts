import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { smallerPng } from './smaller-png.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The data of a chunk, after its checksum has been compared. */
function dataOf(png: Buffer, type: string): Buffer {
  const at = png.indexOf(type, 0, 'latin1')
  const length = png.readUInt32BE(at - 4)
  expect(png.readUInt32BE(at + 4 + length)).toBe(crc32(png.subarray(at, at + 4 + length)))
  return png.subarray(at + 4, at + 4 + length)
}

test('an image with few colors keeps each pixel, whatever its row filters', () => {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 4, 8, 2, 0, 0, 0])
  // Two pixels a row: 10 20 30, then 40 50 60; the rows after the first are the same, foretold in different ways.
  const rows = [
    [1, 10, 20, 30, 30, 30, 30],
    [2, 0, 0, 0, 0, 0, 0],
    [3, 5, 10, 15, 15, 15, 15],
    [4, 0, 0, 0, 0, 0, 0],
  ]
  const picture = Buffer.concat([
    ...[signature, chunk('IHDR', header)],
    ...[chunk('IDAT', deflateSync(Buffer.from(rows.flat()))), chunk('IEND', Buffer.alloc(0))],
  ])
  const smaller = smallerPng(picture)
  const palette = dataOf(smaller, 'PLTE')
  expect(dataOf(smaller, 'IHDR')[9]).toBe(3)
  const packed = inflateSync(dataOf(smaller, 'IDAT'))
  const pixels = Array.from({ length: 8 }, (_, index) => {
    const place = packed[index + Math.floor(index / 2) + 1] ?? 0
    return [...palette.subarray(place * 3, place * 3 + 3)]
  })
  expect(pixels).toEqual(
    Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? [10, 20, 30] : [40, 50, 60])),
  )
})
