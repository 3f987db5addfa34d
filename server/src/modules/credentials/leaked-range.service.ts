import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Layout of the file of leaked passwords, big-endian: 8 bytes of magic; for each of the 2^20 prefixes of five
 * hexadecimal digits, and once more for the end, the number of its first record in 6 bytes; then the records:
 * the last 18 bytes of the SHA-1 (the first half byte repeats the last digit of the prefix) and the count in
 * 4 bytes.
 */
export const rangeLayout = {
  magic: Buffer.from('MUSTERR1'),
  prefixes: 2 ** 20,
  pointerBytes: 6,
  tailBytes: 18,
  recordBytes: 22,
} as const

const { magic, prefixes, pointerBytes, tailBytes, recordBytes } = rangeLayout

/** Offset of the first record. */
const recordsStart = magic.length + (prefixes + 1) * pointerBytes

/** Returns the path of the file in the data directory. */
export const leakedRangeFile = (dataDir: string): string => join(dataDir, 'leaked-range.bin')

/** Rest of a SHA-1 after its prefix, 35 upper-case hexadecimal digits, with the number of leaks. */
export interface LeakedSuffix {
  readonly suffix: string
  readonly count: number
}

/** Far more than any prefix of the public list has. A file with more is damaged. */
const recordsPerPrefixMaximum = 200_000

/**
 * Returns the leaked passwords whose SHA-1 begins with a prefix; undefined if no file is loaded. Opens the
 * file each time, so a newly loaded file is used at once.
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
    const index = Number.parseInt(prefix, 16)
    const pointers = await readExactly(file, magic.length + index * pointerBytes, 2 * pointerBytes, path)
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
  new Error(`${path} is damaged or not a file of leaked passwords; load it again`)
