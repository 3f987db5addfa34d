import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** A line of a file of JSON Lines; `text` is undefined if it cannot be read, and `wrong` says why. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string | undefined
  readonly wrong?: string
}

/** No record is nearly as long; what is longer is not held in memory. */
const lineBytesMaximum = 32 * 1024 * 1024
const newline = 0x0a

/** Opens a file for reading, unpacked if its name ends in `.gz`; `-` is standard input. */
export function openInput(path: string): Readable {
  if (path === '-') return process.stdin
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  if (!path.endsWith('.gz')) return file
  const unpacked = createGunzip({ chunkSize: 1024 * 1024 })
  file.on('error', (error) => unpacked.destroy(error))
  return file.pipe(unpacked)
}

/**
 * Reads lines as they come, some at a time, with constant memory. Empty lines are left out, and so is a byte order mark.
 */
export async function* readLines(input: Readable): AsyncGenerator<Line[]> {
  let rest: Buffer[] = []
  let restBytes = 0
  let number = 0
  const take = (bytes: Buffer): Line[] => {
    number += 1
    const line = readLine(number, number === 1 ? withoutMark(bytes) : bytes)
    return line.text?.trim() === '' ? [] : [line]
  }
  const joined = (tail: Buffer): Buffer => {
    const whole = rest.length === 0 ? tail : Buffer.concat([...rest, tail])
    rest = []
    restBytes = 0
    return whole
  }
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const lines: Line[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      lines.push(...(restBytes > lineBytesMaximum ? tooLong() : take(joined(chunk.subarray(from, end)))))
      from = end + 1
    }
    restBytes += chunk.length - from
    // Of a line that is too long only its length is kept.
    if (restBytes > lineBytesMaximum) rest = []
    else if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)))
    if (lines.length > 0) yield lines
  }
  if (restBytes > lineBytesMaximum) yield tooLong()
  else if (restBytes > 0) yield take(joined(Buffer.alloc(0)))

  function tooLong(): Line[] {
    number += 1
    rest = []
    restBytes = 0
    return [{ number, text: undefined, wrong: `is longer than ${lineBytesMaximum} bytes` }]
  }
}

function readLine(number: number, bytes: Buffer): Line {
  const text = bytes.toString('utf8')
  // Only what was not UTF-8, or says so itself, has the replacement character.
  if (text.includes('\uFFFD') && !isUtf8(bytes))
    return { number, text: undefined, wrong: 'is not valid UTF-8' }
  return { number, text }
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** How many lines a file has; undefined if that is not known before it is read: standard input, packed files. */
export async function countLines(path: string): Promise<number | undefined> {
  if (path === '-' || path.endsWith('.gz')) return undefined
  let count = 0
  let last = newline
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) count += 1
    last = chunk[chunk.length - 1] ?? last
  }
  return last === newline ? count : count + 1
}
