import type { RecordPage } from '../sql.ts'

const comma = 0x2c
/** Kind and size of the message, and the number of its columns; then each column has its length before it. */
const firstLengthAt = 7
const lengthSize = 4

/** Most pages fit into so much. */
const roomAtFirst = 128 * 1024
/** More is given back, not kept for another page. */
const keptRoom = 1024 * 1024

/** Rooms in which no page is being put together; there are as many as connections that received one at the same time. */
const rooms: Buffer<ArrayBuffer>[] = []

/** Gives memory back at once, which otherwise waits for V8's collector; nobody can read it any more. */
const giveBack = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0)

/**
 * Puts a page together while its rows come, each a record and its sequence number, in one room and not as an object each:
 * rows are most of what a page costs.
 */
export function collectPage(limit: number) {
  let room: Buffer<ArrayBuffer> | undefined
  let size = 0
  let seen = 0
  let lastSeq = 0

  const roomFor = (more: number): Buffer<ArrayBuffer> => {
    const had = room ?? rooms.pop() ?? Buffer.allocUnsafeSlow(roomAtFirst)
    if (size + more <= had.length) return had
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * had.length, size + more))
    had.copy(larger, 0, 0, size)
    giveBack(had)
    return larger
  }

  /** Takes a row as it comes from PostgreSQL: the message, which is read at once. */
  const row = (message: Buffer): void => {
    seen += 1
    if (seen > limit) return
    const recordAt = firstLengthAt + lengthSize
    const recordEnd = recordAt + message.readInt32BE(firstLengthAt)
    room = roomFor(1 + recordEnd - recordAt)
    if (seen > 1) room[size++] = comma
    size += message.copy(room, size, recordAt, recordEnd)
    lastSeq = Number(message.toString('latin1', recordEnd + lengthSize))
  }

  /** The page, in memory of its own. */
  const page = (): RecordPage => {
    const bytes = Buffer.allocUnsafeSlow(size)
    room?.copy(bytes, 0, 0, size)
    if (room && room.length <= keptRoom) rooms.push(room)
    else if (room) giveBack(room)
    return {
      bytes,
      release: () => giveBack(bytes),
      count: Math.min(seen, limit),
      lastSeq,
      more: seen > limit,
    }
  }

  return { row, page }
}
