import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAll } from '../../kernel/lib/process/write-all.ts'
import { rangeLayout } from './leaked-range.service.ts'

const { magic, prefixes, pointerBytes, tailBytes, recordBytes } = rangeLayout

/** Records in part files have the whole hash. */
const hashBytes = 20
const fullRecordBytes = hashBytes + 4
const parts = 256
const partPrefixes = prefixes / parts
/** Size of the write buffer of a part. */
const bufferBytes = fullRecordBytes * 4096

/** Error for a line that is not `SHA1:count`. */
export class RangeLineError extends Error {
  override readonly name = 'RangeLineError'
}

export interface RangeLoaded {
  readonly passwords: number
  readonly repeated: number
}

/**
 * Writes the file of leaked passwords from lines `SHA1:count` in any order. The highest count of a repeated
 * hash is kept. Lines are split by their first byte into temporary files next to the target, and each file is
 * sorted alone, so memory holds 1/256 of the lines at a time. The file is renamed to its final name once it
 * is complete and synced.
 *
 * @param chunks bytes of the lines, split anywhere
 * @throws RangeLineError for the first invalid line
 */
export async function loadLeakedRange(
  path: string,
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<RangeLoaded> {
  const folder = mkdtempSync(join(dirname(path), '.leaked-range-'))
  try {
    await splitLines(folder, chunks, onBytes)
    const complete = join(folder, 'complete')
    const loaded = joinParts(folder, complete)
    renameSync(complete, path)
    return loaded
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const partFile = (folder: string, part: number): string => join(folder, `part-${part}`)

async function splitLines(
  folder: string,
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const files = Array.from({ length: parts }, (_, part) => openSync(partFile(folder, part), 'wx', 0o600))
  try {
    const buffers = files.map(() => ({ bytes: Buffer.allocUnsafe(bufferBytes), used: 0 }))
    const flush = (part: number) => {
      const { bytes, used } = buffers[part] as (typeof buffers)[number]
      writeAll(files[part] as number, bytes.subarray(0, used))
      ;(buffers[part] as (typeof buffers)[number]).used = 0
    }
    const reader = lineReader((record) => {
      const part = record[0] ?? 0
      const own = buffers[part] as (typeof buffers)[number]
      record.copy(own.bytes, own.used)
      own.used += fullRecordBytes
      if (own.used === bufferBytes) flush(part)
    })
    for await (const chunk of chunks) {
      reader.take(chunk)
      onBytes(chunk.length)
    }
    reader.end()
    for (const part of files.keys()) flush(part)
  } finally {
    for (const file of files) closeSync(file)
  }
}

const newline = 10
const longestLine = 100

/** Splits chunks into lines. Passes each as 20 bytes of hash and 4 of count, in a buffer that is reused. */
function lineReader(onRecord: (record: Buffer) => void) {
  const record = Buffer.allocUnsafe(fullRecordBytes)
  let rest = Buffer.alloc(0)
  let line = 0
  const takeLine = (bytes: Buffer): void => {
    line += 1
    if (line === 1 && bytes[0] === 0xef) bytes = bytes.subarray(3)
    const text = bytes.toString('latin1').trim()
    if (text === '') return
    const [, hash, count] = /^([0-9a-f]{40}):(\d{1,15})$/i.exec(text) ?? []
    if (hash === undefined || count === undefined) {
      throw new RangeLineError(
        `Line ${line} must be a SHA-1 hash of 40 hexadecimal digits, a colon and a count, such as 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:3.`,
      )
    }
    record.write(hash, 0, 'hex')
    record.writeUInt32BE(Math.min(Number(count), 0xffff_ffff), hashBytes)
    onRecord(record)
  }
  return {
    take(chunk: Buffer): void {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let from = 0
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
        takeLine(bytes.subarray(from, end))
        from = end + 1
      }
      rest = Buffer.from(bytes.subarray(from))
      // A file without newlines must not be read into memory as a whole.
      if (rest.length <= longestLine) return
      takeLine(rest)
      rest = Buffer.alloc(0)
    },
    end: () => {
      if (rest.length > 0) takeLine(rest)
    },
  }
}

function joinParts(folder: string, path: string): RangeLoaded {
  const file = openSync(path, 'wx', 0o600)
  try {
    const pointers = Buffer.alloc((prefixes + 1) * pointerBytes)
    writeAll(file, magic)
    writeAll(file, pointers)
    let passwords = 0
    let repeated = 0
    for (let part = 0; part < parts; part += 1) {
      const unsorted = readFileSync(partFile(folder, part))
      rmSync(partFile(folder, part))
      const sorted = sortPart(unsorted)
      for (let prefix = 0; prefix < partPrefixes; prefix += 1) {
        const first = passwords + (sorted.firsts[prefix] ?? 0)
        pointers.writeUIntBE(first, (part * partPrefixes + prefix) * pointerBytes, pointerBytes)
      }
      passwords += sorted.count
      repeated += unsorted.length / fullRecordBytes - sorted.count
      writeAll(file, sorted.records)
    }
    pointers.writeUIntBE(passwords, prefixes * pointerBytes, pointerBytes)
    writeAll(file, pointers, magic.length)
    fsyncSync(file)
    return { passwords, repeated }
  } finally {
    closeSync(file)
  }
}

/** Sorts the records of one part: by prefix with a counting sort, then within each prefix. */
function sortPart(unsorted: Buffer): { records: Buffer; firsts: Uint32Array; count: number } {
  const total = unsorted.length / fullRecordBytes
  const prefixAt = (record: number) => unsorted.readUInt16BE(record * fullRecordBytes + 1) >>> 4
  const ends = new Uint32Array(partPrefixes)
  for (let record = 0; record < total; record += 1) {
    const prefix = prefixAt(record)
    ends[prefix] = (ends[prefix] ?? 0) + 1
  }
  for (let prefix = 1; prefix < partPrefixes; prefix += 1)
    ends[prefix] = (ends[prefix] ?? 0) + (ends[prefix - 1] ?? 0)
  const order = new Uint32Array(total)
  const free = ends.slice()
  for (let record = total - 1; record >= 0; record -= 1) {
    const prefix = prefixAt(record)
    const place = (free[prefix] ?? 0) - 1
    free[prefix] = place
    order[place] = record
  }
  const records = Buffer.allocUnsafe(total * recordBytes)
  const firsts = new Uint32Array(partPrefixes)
  let count = 0
  for (let prefix = 0; prefix < partPrefixes; prefix += 1) {
    firsts[prefix] = count
    const group = order.subarray(prefix === 0 ? 0 : ends[prefix - 1], ends[prefix])
    count = writeGroup(unsorted, group, records, count)
  }
  return { records: records.subarray(0, count * recordBytes), firsts, count }
}

/**
 * Writes the records of one prefix in order, without duplicates.
 *
 * @returns the new number of records
 */
function writeGroup(unsorted: Buffer, group: Uint32Array, records: Buffer, from: number): number {
  const bytesOf = (record: number) =>
    unsorted.subarray(record * fullRecordBytes, record * fullRecordBytes + fullRecordBytes)
  // Sorting puts equal hashes next to each other, the highest count last.
  const sorted = Array.from(group, bytesOf).sort(Buffer.compare)
  let count = from
  sorted.forEach((bytes, index) => {
    const next = sorted[index + 1]
    if (next && bytes.compare(next, 0, hashBytes, 0, hashBytes) === 0) return
    bytes.copy(records, count * recordBytes, hashBytes - tailBytes)
    count += 1
  })
  return count
}
