import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signatureBytes = 8
/** Number of colors in a palette with 8-bit indexes. */
const paletteColors = 256

/** Iterates over the chunks of a PNG: length, type, data and checksum (PNG specification, section 5.3). */
function* chunksOf(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) }
    at += length + 12
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** Predicts a byte from those to the left, above, and above left (section 9.2). */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const sum = left + above - corner
  const [byLeft, byAbove, byCorner] = [Math.abs(sum - left), Math.abs(sum - above), Math.abs(sum - corner)]
  if (byLeft <= byAbove && byLeft <= byCorner) return left
  return byAbove <= byCorner ? above : corner
}

/** Decompresses the image and reverses the row filters. */
function unfiltered(packed: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const raw = inflateSync(packed)
  const rows = raw.length / (rowBytes + 1)
  const bytes = Buffer.alloc(rows * rowBytes)
  for (let row = 0; row < rows; row += 1) {
    const start = row * rowBytes
    const filter = raw[row * (rowBytes + 1)] ?? 0
    for (let at = 0; at < rowBytes; at += 1) {
      const left = at < pixelBytes ? 0 : (bytes[start + at - pixelBytes] ?? 0)
      const above = row === 0 ? 0 : (bytes[start - rowBytes + at] ?? 0)
      const corner = row === 0 || at < pixelBytes ? 0 : (bytes[start - rowBytes + at - pixelBytes] ?? 0)
      bytes[start + at] = (raw[row * (rowBytes + 1) + 1 + at] ?? 0) + predicted(filter, left, above, corner)
    }
  }
  return bytes
}

/** Returns the squared distance of two 24-bit colors. */
const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0)

/**
 * Compresses a screenshot by reducing it to its 256 most frequent colors. Others, mostly in antialiased edges, become the nearest
 * of these.
 *
 * @param png screenshot of a browser: 8 bits per channel, with or without alpha, not interlaced
 */
export function smallerPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)]
  const header = Buffer.from(chunks.find(({ type }) => type === 'IHDR')?.data ?? [])
  const [width, height, pixelBytes] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[9] === 6 ? 4 : 3,
  ]
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const bytes = unfiltered(packed, width * pixelBytes, pixelBytes)
  const colors = Array.from({ length: width * height }, (_, index) => bytes.readUIntBE(index * pixelBytes, 3))
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const palette = [...counts.keys()]
    .sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
    .slice(0, paletteColors)
  const places = new Map(counts.keys().map((color) => [color, nearest(palette, color)]))
  const rows = Buffer.alloc(height * (width + 1))
  for (const [index, color] of colors.entries())
    rows[index + Math.floor(index / width) + 1] = places.get(color) ?? 0
  // Color type 3: palette index.
  header[9] = 3
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function nearest(palette: readonly number[], color: number): number {
  let best = 0
  for (const [place, one] of palette.entries())
    if (distance(one, color) < distance(palette[best] ?? 0, color)) best = place
  return best
}
