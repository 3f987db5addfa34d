import { Writable } from 'node:stream'

/** Stream that stores what is written to it, in place of a command's standard output or error. */
export interface CapturedStream extends Writable {
  isTTY: boolean
  columns: number
  /** Returns the text written since the last call. */
  taken(): string
}

/** Creates a {@link CapturedStream}, by default not a terminal. */
export function capturedStream(isTTY = false, columns = 80): CapturedStream {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const taken = () => {
    const written = text
    text = ''
    return written
  }
  return Object.assign(stream, { isTTY, columns, taken })
}
