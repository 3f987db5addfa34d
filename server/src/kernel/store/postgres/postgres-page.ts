import type { RecordPage } from '../sql.ts'

const comma = 0x2c
/** Offset of the first column in a row message: after its type, its size and the number of columns. */
const firstColumnAt = 7
/** Size of the length before each column. */
const lengthSize = 4

/** Enough for most pages. */
const initialBufferSize = 128 * 1024
/** Larger buffers are freed rather than reused. */
const reusedBufferMaximum = 1024 * 1024

/** Buffers for later pages; at most one for each connection that received a page at the same time. */
const freeBuffers: Buffer<ArrayBuffer>[] = []

/** Frees memory at once rather than at the next garbage collection. Afterwards nobody can read it. */
const freeMemory = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0)

/**
 * Collects a page while its rows arrive, in one buffer rather than as objects: rows are most of the cost of a page. The first
 * two columns of a row are a record and its sequence number; others are ignored.
 */
export function collectPage(limit: number) {
  let buffer: Buffer<ArrayBuffer> | undefined
  let size = 0
  let seen = 0
  let lastSeq = 0

  const bufferFor = (more: number): Buffer<ArrayBuffer> => {
    const current = buffer ?? freeBuffers.pop() ?? Buffer.allocUnsafeSlow(initialBufferSize)
    if (size + more <= current.length) return current
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * current.length, size + more))
    current.copy(larger, 0, 0, size)
    freeMemory(current)
    return larger
  }

  /** Adds a row. The message is valid only during the call. */
  const row = (message: Buffer): void => {
    seen += 1
    if (seen > limit) return
    const recordAt = firstColumnAt + lengthSize
    const recordEnd = recordAt + message.readInt32BE(firstColumnAt)
    buffer = bufferFor(1 + recordEnd - recordAt)
    if (seen > 1) buffer[size++] = comma
    size += message.copy(buffer, size, recordAt, recordEnd)
    const seqAt = recordEnd + lengthSize
    lastSeq = Number(message.toString('latin1', seqAt, seqAt + message.readInt32BE(recordEnd)))
  }

  /** Returns the page as a copy of the buffer. */
  const page = (): RecordPage => {
    const bytes = Buffer.allocUnsafeSlow(size)
    buffer?.copy(bytes, 0, 0, size)
    if (buffer && buffer.length <= reusedBufferMaximum) freeBuffers.push(buffer)
    else if (buffer) freeMemory(buffer)
    return {
      bytes,
      release: () => freeMemory(bytes),
      count: Math.min(seen, limit),
      lastSeq,
      more: seen > limit,
    }
  }

  return { row, page }
}
