import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The file of leaked passwords that an operator loads: hashes by their first five hexadecimal digits.
 *
 * Layout, big-endian: 8 bytes of magic; for each of the 2^20 prefixes and one more, the number of the first record of
 * that prefix in 6 bytes; then the records: the last 18 bytes of the SHA-1 (its first half byte repeats the prefix's
 * last digit) and the count in 4 bytes.
 */
export const rangeLayout = {
  magic: Buffer.from('MUSTERR1'),
  prefixes: 2 ** 20,
  pointerBytes: 6,
  tailBytes: 18,
  recordBytes: 22,
} as const

const { magic, prefixes, pointerBytes, tailBytes, recordBytes } = rangeLayout

/** Where the records begin. */
export const recordsStart = magic.length + (prefixes + 1) * pointerBytes

/** Where the file is in the data directory. */
export const leakedRangeFile = (dataDir: string): string => join(dataDir, 'leaked-range.bin')

/** The end of a SHA-1 behind its prefix, 35 upper-case hexadecimal digits, and how often it was seen. */
export interface LeakedSuffix {
  readonly suffix: string
  readonly count: number
}

/** More than any prefix of the public list has, by far; a file with more is not one of ours. */
const recordsPerPrefixMaximum = 200_000

/**
 * The leaked passwords whose SHA-1 begins with a prefix; undefined if no file was loaded. It is opened each time, so
 * that a file that is loaded anew counts at once.
 *
 * @param prefix five hexadecimal digits
 * @throws Error if the file is damaged
 */
export async function readLeakedRange(path: string, prefix: string): Promise<LeakedSuffix[] | undefined> {
  const file = await open(path, 'r').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    await checkMagic(file, path)
    const at = Number.parseInt(prefix, 16)
    const pointers = await readExactly(file, magic.length + at * pointerBytes, 2 * pointerBytes, path)
    const first = pointers.readUIntBE(0, pointerBytes)
    const count = pointers.readUIntBE(pointerBytes, pointerBytes) - first
    if (count < 0 || count > recordsPerPrefixMaximum) throw damaged(path)
    const records = await readExactly(file, recordsStart + first * recordBytes, count * recordBytes, path)
    return Array.from({ length: count }, (_, index) => recordAt(records, index * recordBytes))
  } finally {
    await file.close()
  }
}

const recordAt = (records: Buffer, start: number): LeakedSuffix => ({
  suffix: records
    .toString('hex', start, start + tailBytes)
    .slice(1)
    .toUpperCase(),
  count: records.readUInt32BE(start + tailBytes),
})

async function checkMagic(file: FileHandle, path: string): Promise<void> {
  if (!(await readExactly(file, 0, magic.length, path)).equals(magic)) throw damaged(path)
}

async function readExactly(
  file: FileHandle,
  position: number,
  length: number,
  path: string,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done)
    if (bytesRead === 0) throw damaged(path)
    done += bytesRead
  }
  return bytes
}

const damaged = (path: string): Error =>
  new Error(`${path} is damaged or not a file of leaked passwords: load it again`)
