/** Takes what a connection receives, part by part, and gives each message that is complete to `take`. */
export type Splitter = (part: Buffer, take: (message: Buffer) => void) => void

/** A message begins with its kind, one byte, and with four that count its bytes from themselves on. */
const headSize = 5
const sizeOf = (bytes: Buffer, at: number): number => 1 + bytes.readUInt32BE(at + 1)

const heldAtFirst = 4096
/** Room for a longer message is given back. */
const heldAtMost = 1024 * 1024

/**
 * A message that is in one part is given where it lies; one that was cut is put together first. Either is good only until
 * `take` returns: who keeps it copies it.
 */
export function messageSplitter(): Splitter {
  let held = Buffer.alloc(0)
  let filled = 0

  /** Adds to what is held until it has `size` bytes, or until the part ends; how many were added. */
  const hold = (part: Buffer, at: number, size: number): number => {
    if (held.length < size) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, heldAtFirst))
      held.copy(larger, 0, 0, filled)
      held = larger
    }
    const added = part.copy(held, filled, at, at + size - filled)
    filled += added
    return added
  }

  /** Gives all messages that lie in the part as a whole; where the rest begins. */
  const takeWhole = (part: Buffer, from: number, take: (message: Buffer) => void): number => {
    let at = from
    while (part.length - at >= headSize) {
      const end = at + sizeOf(part, at)
      if (end > part.length) break
      take(part.subarray(at, end))
      at = end
    }
    return at
  }

  return (part, take) => {
    let at = 0
    while (at < part.length) {
      if (filled === 0) at = takeWhole(part, at, take)
      if (filled < headSize) at += hold(part, at, headSize)
      if (filled < headSize) return
      const size = sizeOf(held, 0)
      at += hold(part, at, size)
      if (filled < size) return
      filled = 0
      const message = held.subarray(0, size)
      if (held.length > heldAtMost) held = Buffer.alloc(0)
      take(message)
    }
  }
}

/** As much as Node reads at once into memory of its own. */
const readSize = 64 * 1024
const readBuffer = Buffer.allocUnsafeSlow(readSize)

/**
 * Lets a socket (`onread` of `net.Socket`) read into memory that all connections share: each part is taken before the
 * next one is read, by whichever of them.
 */
export const readInto = (take: (part: Buffer) => void) => ({
  buffer: readBuffer,
  callback: (size: number): boolean => {
    take(readBuffer.subarray(0, size))
    return true
  },
})
