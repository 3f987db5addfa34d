import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Line of a JSON Lines file. */
export interface Line {
  /** Line number, from 1. */
  readonly number: number
  readonly text: string
  /** Reason why the line cannot be read. `text` is then only for display. */
  readonly wrong?: string
}

/** The input ends with an error: it is damaged or unreadable. */
export class BrokenInputError extends Error {
  override readonly name = 'BrokenInputError'
  /** Number of lines read before the error. */
  readonly lines: number
  constructor(lines: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.lines = lines
  }
}

/** Maximum length of a line. Longer lines, which no record has, are not held in memory. */
const lineBytesMaximum = 32 * 1024 * 1024
/** Bytes of a line that is too long that are shown. */
const shownBytes = 1000
const newline = 0x0a

/**
 * Opens a file for reading and decompresses it if its name ends in `.gz`. `-` is standard input.
 *
 * @param signal aborts reading with an error, even while no data arrives
 */
export const openInput = (path: string, signal: AbortSignal): Readable =>
  addAbortSignal(signal, openFile(path))

function openFile(path: string): Readable {
  if (path === '-') return process.stdin
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  if (!path.endsWith('.gz')) return file
  const unpacked = createGunzip({ chunkSize: 1024 * 1024 })
  file.on('error', (error) => unpacked.destroy(error))
  return file.pipe(unpacked)
}

/**
 * Reads lines in batches with constant memory. Skips empty lines and a byte order mark.
 *
 * @throws BrokenInputError after the last complete line
 */
export async function* readLines(input: Readable): AsyncGenerator<Line[]> {
  let rest: Buffer[] = []
  let restBytes = 0
  let number = 0
  const take = (bytes: Buffer): Line[] => {
    number += 1
    const line = readLine(number, number === 1 ? withoutMark(bytes) : bytes)
    return line.text.trim() === '' ? [] : [line]
  }
  const joined = (tail: Buffer): Buffer => {
    const whole = rest.length === 0 ? tail : Buffer.concat([...rest, tail])
    rest = []
    restBytes = 0
    return whole
  }
  const linesOf = (chunk: Buffer): Line[] => {
    const lines: Line[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      lines.push(...(restBytes > lineBytesMaximum ? tooLong() : take(joined(chunk.subarray(from, end)))))
      from = end + 1
    }
    restBytes += chunk.length - from
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)))
    // Only the length and the beginning of a line that is too long are kept.
    if (restBytes > lineBytesMaximum) rest = [Buffer.from(Buffer.concat(rest).subarray(0, shownBytes))]
    return lines
  }
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      const lines = linesOf(chunk)
      if (lines.length > 0) yield lines
    }
  } catch (error) {
    throw new BrokenInputError(number, error)
  }
  if (restBytes > lineBytesMaximum) yield tooLong()
  else if (restBytes > 0) yield take(joined(Buffer.alloc(0)))

  function tooLong(): Line[] {
    number += 1
    const text = `${joined(Buffer.alloc(0)).toString('utf8')}…`
    return [{ number, text, wrong: `is longer than ${lineBytesMaximum} bytes` }]
  }
}

function readLine(number: number, bytes: Buffer): Line {
  const text = bytes.toString('utf8')
  // The replacement character is the result of invalid UTF-8, or part of the text itself.
  if (text.includes('\uFFFD') && !isUtf8(bytes)) return { number, text, wrong: 'is not valid UTF-8' }
  return { number, text }
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** Counts the lines of a file that are not empty; undefined for standard input and compressed files. */
export async function countLines(path: string): Promise<number | undefined> {
  if (path === '-' || path.endsWith('.gz')) return undefined
  let count = 0
  let isEmpty = true
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      if (!isEmpty || !isBlank(chunk, from, end)) count += 1
      isEmpty = true
      from = end + 1
    }
    isEmpty &&= isBlank(chunk, from, chunk.length)
  }
  return isEmpty ? count : count + 1
}

/** Returns true if a range has only spaces, tabs and carriage returns. */
function isBlank(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
