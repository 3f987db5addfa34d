// A message starts with its type, one byte, and its size, four bytes, which does not include the type.
const headSize = 5
    , sizeOf = (x, at) => 1 + x.readUInt32BE(at + 1)

const initialSize = 4096
    , keptMaximum = 1024 * 1024

/**
 * Creates a splitter for one connection: a function that takes received data and passes each complete message to a
 * callback. A message within one part is passed as a view of it; one that spans parts is assembled first. Both are valid
 * only during the callback.
 */
export function messageSplitter() {
  let held = Buffer.alloc(0)
    , filled = 0

  return function split(part, onmessage) {
    let at = 0
    while (at < part.length) {
      if (filled === 0)
        at = passComplete(part, at, onmessage)
      if (filled < headSize)
        at += hold(part, at, headSize)
      if (filled < headSize)
        return

      const size = sizeOf(held, 0)
      at += hold(part, at, size)
      if (filled < size)
        return

      filled = 0
      const message = held.subarray(0, size)
      if (held.length > keptMaximum)
        held = Buffer.alloc(0)
      onmessage(message)
    }
  }

  // Passes on the messages that are complete in the part. Returns the offset of the rest.
  function passComplete(part, at, onmessage) {
    while (part.length - at >= headSize) {
      const end = at + sizeOf(part, at)
      if (end > part.length)
        break

      onmessage(part.subarray(at, end))
      at = end
    }
    return at
  }

  // Fills `held` up to `size` bytes, or until the part ends. Returns the number of bytes taken.
  function hold(part, at, size) {
    if (held.length < size) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, initialSize))
      held.copy(larger, 0, 0, filled)
      held = larger
    }
    const taken = part.copy(held, filled, at, at + size - filled)
    filled += taken
    return taken
  }
}

// The size that Node uses for its own read buffers.
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Returns options for `onread` of net.Socket: all connections read into one buffer. This is safe because received data is
 * processed before the next read of any connection.
 */
export function readIntoSharedBuffer(ondata) {
  return {
    buffer: readBuffer,
    callback(size) {
      ondata(readBuffer.subarray(0, size))
      return true
    }
  }
}
