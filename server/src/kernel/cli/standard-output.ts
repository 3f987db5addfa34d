import { fstatSync } from 'node:fs'
import { Writable } from 'node:stream'
import { writeAll } from '../lib/process/write-all.ts'
import type { CommandIo } from './command.ts'

/** Returns standard output. If it is a file, partial writes fail with an error, which Node's stream ignores. */
export function standardOutput(): CommandIo['stdout'] & Pick<Writable, 'writableLength'> {
  const { stdout } = process
  if (!fstatSync(1).isFile()) return stdout
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        writeAll(1, chunk)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
