import { writeSync } from 'node:fs'

/**
 * Writes all of the bytes: what fills the disk is first written in part, without an error, which the next try gets.
 *
 * @param position where to write them; behind what was written last if left out
 * @throws the error of the system
 */
export function writeAll(file: number, bytes: Uint8Array, position?: number): void {
  let done = 0
  while (done < bytes.length) {
    done += writeSync(file, bytes, done, bytes.length - done, position === undefined ? null : position + done)
  }
}
