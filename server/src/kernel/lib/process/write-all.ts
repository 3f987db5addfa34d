import { writeSync } from 'node:fs'

/**
 * Writes all bytes. On a full disk `writeSync` writes a part without an error; only the next call fails.
 *
 * @param position offset in the file; default: after the last write
 * @throws the system error
 */
export function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  let written = 0
  while (written < bytes.length) {
    const filePosition = position === undefined ? null : position + written
    written += writeSync(file, bytes, written, bytes.length - written, filePosition)
  }
}
