import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAll } from '../../kernel/lib/process/write-all.ts'
import { rangeLayout } from './leaked-range.service.ts'

const { magic, prefixes, pointerBytes, tailBytes, recordBytes } = rangeLayout

/** While they are sorted out, records have the whole hash. */
const hashBytes = 20
const looseBytes = hashBytes + 4
const parts = 256
const partPrefixes = prefixes / parts
/** So much of a part waits in memory until it is written. */
const waitingBytes = looseBytes * 4096

/** A line that is not `SHA1:count`. */
export class RangeLineError extends Error {
  override readonly name = 'RangeLineError'
}

/** What was loaded. */
export interface RangeLoaded {
  readonly passwords: number
  readonly repeated: number
}

/**
 * Writes the file of leaked passwords from lines `SHA1:count` in any order; of a hash that comes twice, the higher
 * count stays. The lines are parted by their first byte into temporary files beside the target, and each part is put in
 * order by itself, so that memory holds 1/256 of them at a time. The file gets its name when it is whole and on the disk.
 *
 * @param chunks the bytes of the lines, cut anywhere
 * @throws RangeLineError for the first line that is wrong
 */
export async function loadLeakedRange(
  path: string,
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<RangeLoaded> {
  const folder = mkdtempSync(join(dirname(path), '.leaked-range-'))
  try {
    await partLines(folder, chunks, onBytes)
    const made = join(folder, 'whole')
    const loaded = joinParts(folder, made)
    renameSync(made, path)
    return loaded
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const partFile = (folder: string, part: number): string => join(folder, `part-${part}`)

async function partLines(
  folder: string,
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const files = Array.from({ length: parts }, (_, part) => openSync(partFile(folder, part), 'wx', 0o600))
  try {
    const waiting = files.map(() => ({ bytes: Buffer.allocUnsafe(waitingBytes), used: 0 }))
    const flush = (part: number) => {
      const { bytes, used } = waiting[part] as (typeof waiting)[number]
      writeAll(files[part] as number, bytes.subarray(0, used))
      ;(waiting[part] as (typeof waiting)[number]).used = 0
    }
    const reader = lineReader((record) => {
      const part = record[0] ?? 0
      const own = waiting[part] as (typeof waiting)[number]
      record.copy(own.bytes, own.used)
      own.used += looseBytes
      if (own.used === waitingBytes) flush(part)
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

/** Takes lines out of chunks; gives each as 20 bytes of hash and 4 of count, in a buffer that is used again. */
function lineReader(give: (record: Buffer) => void) {
  const record = Buffer.allocUnsafe(looseBytes)
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
        `Line ${line} must be a SHA-1 in 40 hexadecimal digits, a colon and a count, such as 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:3.`,
      )
    }
    record.write(hash, 0, 'hex')
    record.writeUInt32BE(Math.min(Number(count), 0xffff_ffff), hashBytes)
    give(record)
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
      // A file without lines is not read into memory to find that out.
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
      const loose = readFileSync(partFile(folder, part))
      rmSync(partFile(folder, part))
      const sorted = sortPart(loose)
      for (let at = 0; at < partPrefixes; at += 1) {
        const first = passwords + (sorted.firsts[at] ?? 0)
        pointers.writeUIntBE(first, (part * partPrefixes + at) * pointerBytes, pointerBytes)
      }
      passwords += sorted.count
      repeated += loose.length / looseBytes - sorted.count
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

/** Puts the records of one part in order: first by prefix, by counting, and then within each prefix. */
function sortPart(loose: Buffer): { records: Buffer; firsts: Uint32Array; count: number } {
  const total = loose.length / looseBytes
  const prefixAt = (record: number) => loose.readUInt16BE(record * looseBytes + 1) >>> 4
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
    count = writeGroup(loose, group, records, count)
  }
  return { records: records.subarray(0, count * recordBytes), firsts, count }
}

/** Writes the records of one prefix in order, each hash once; says how many records there are then. */
function writeGroup(loose: Buffer, group: Uint32Array, records: Buffer, from: number): number {
  const bytesOf = (record: number) => loose.subarray(record * looseBytes, record * looseBytes + looseBytes)
  // Equal hashes stand together, the highest count last.
  const sorted = Array.from(group, bytesOf).sort(Buffer.compare)
  let count = from
  sorted.forEach((bytes, at) => {
    const next = sorted[at + 1]
    if (next && bytes.compare(next, 0, hashBytes, 0, hashBytes) === 0) return
    bytes.copy(records, count * recordBytes, hashBytes - tailBytes)
    count += 1
  })
  return count
}
