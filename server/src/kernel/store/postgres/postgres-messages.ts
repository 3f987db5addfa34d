/** Splits received data into messages and passes each complete one to `onMessage`. */
export type Splitter = (part: Buffer, onMessage: (message: Buffer) => void) => void

/** A message starts with its type, one byte, and its size, four bytes, which does not include the type. */
const headSize = 5
const sizeOf = (bytes: Buffer, at: number): number => 1 + bytes.readUInt32BE(at + 1)

const initialBufferSize = 4096
/** A larger buffer is dropped after use. */
const keptBufferMaximum = 1024 * 1024

/**
 * Creates a splitter for one connection. A message within one part is passed as a view of it; one that spans parts is
 * assembled first. Both are valid only during the call of `onMessage`.
 */
export function messageSplitter(): Splitter {
  let held = Buffer.alloc(0)
  let filled = 0

  /** Adds to `held` until it has `size` bytes or the part ends. Returns the number of bytes added. */
  const hold = (part: Buffer, at: number, size: number): number => {
    if (held.length < size) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, initialBufferSize))
      held.copy(larger, 0, 0, filled)
      held = larger
    }
    const added = part.copy(held, filled, at, at + size - filled)
    filled += added
    return added
  }

  /** Passes on all messages that are complete in the part. Returns the offset of the rest. */
  const passComplete = (part: Buffer, from: number, onMessage: (message: Buffer) => void): number => {
    let at = from
    while (part.length - at >= headSize) {
      const end = at + sizeOf(part, at)
      if (end > part.length) break
      onMessage(part.subarray(at, end))
      at = end
    }
    return at
  }

  return (part, onMessage) => {
    let at = 0
    while (at < part.length) {
      if (filled === 0) at = passComplete(part, at, onMessage)
      if (filled < headSize) at += hold(part, at, headSize)
      if (filled < headSize) return
      const size = sizeOf(held, 0)
      at += hold(part, at, size)
      if (filled < size) return
      filled = 0
      const message = held.subarray(0, size)
      if (held.length > keptBufferMaximum) held = Buffer.alloc(0)
      onMessage(message)
    }
  }
}

/** The size that Node uses for its own read buffers. */
const readSize = 64 * 1024
const readBuffer = Buffer.allocUnsafeSlow(readSize)

/**
 * Options for `onread` of `net.Socket`: all connections read into one buffer. This is safe because each part is processed
 * before the next read of any connection.
 */
export const readIntoSharedBuffer = (onPart: (part: Buffer) => void) => ({
  buffer: readBuffer,
  callback: (size: number): boolean => {
    onPart(readBuffer.subarray(0, size))
    return true
  },
})
