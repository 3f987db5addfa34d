import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A line of a file of JSON Lines. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** Why it cannot be read; `text` is then what can be shown of it. */
  readonly wrong?: string
}

/** An input breaks off: it is damaged, or cannot be read at all. */
export class BrokenInputError extends Error {
  override readonly name = 'BrokenInputError'
  /** How many lines came until then. */
  readonly lines: number
  constructor(lines: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.lines = lines
  }
}

/** No record is nearly as long; what is longer is not held in memory. */
const lineBytesMaximum = 32 * 1024 * 1024
/** So much of it is shown. */
const shownBytes = 1000
const newline = 0x0a

/**
 * Opens a file for reading, unpacked if its name ends in `.gz`; `-` is standard input.
 *
 * @param signal ends it with an error, also while nothing comes
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
 * Reads lines as they come, some at a time, with constant memory. Empty lines are left out, and so is a byte order mark.
 *
 * @throws BrokenInputError behind the last whole line that could be read
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
    // Of a line that is too long only its length and beginning are kept.
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
  // Only what was not UTF-8, or says so itself, has the replacement character.
  if (text.includes('\uFFFD') && !isUtf8(bytes)) return { number, text, wrong: 'is not valid UTF-8' }
  return { number, text }
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** How many lines that are not empty a file has; undefined if that is not known before it is read: standard input, packed files. */
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

/** Whether nothing but blanks and a carriage return stands there. */
function isBlank(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
