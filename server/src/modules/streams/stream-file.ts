import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { mapInChunks } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { type StreamedEvent, type StreamFormat, streamLine } from './formats/stream-line.ts'
import type { StreamTarget } from './stream-loop.ts'

export interface FileStreamOptions {
  readonly path: string
  readonly format: StreamFormat
  /** A file that has so many bytes is put aside before more is written. */
  readonly bytesMaximum: number
  /** How many files that were put aside are kept, at least one: `<path>.1` is the newest. */
  readonly keep: number
}

/** A stream into a file. */
export interface FileStream extends StreamTarget {
  /** Opens the file that is at the path now when next something is written: somebody has moved the one that was. */
  reopen(): void
}

interface OpenFile {
  readonly handle: FileHandle
  readonly inode: bigint
}

/**
 * A stream that writes a line for each event to a file of mode 0600. What it says is delivered is on the disk. A file that
 * somebody else has moved or removed is noticed before each write, so that `logrotate` needs no signal.
 */
export function fileStream(options: FileStreamOptions): FileStream {
  const { path, format, bytesMaximum } = options
  let file: OpenFile | undefined
  const leave = async (): Promise<void> => {
    const left = file
    file = undefined
    await left?.handle.close()
  }
  let moved = false
  const current = async (): Promise<OpenFile> => {
    if (file && (moved || file.inode !== (await inodeAt(path)))) await leave()
    moved = false
    file ??= await openFile(path)
    return file
  }
  const write = async (lines: Buffer): Promise<void> => {
    let target = await current()
    const { size } = await target.handle.stat()
    if (size > 0 && size + lines.length > bytesMaximum) {
      await leave()
      await putAside(path, options.keep)
      target = await current()
    }
    await target.handle.appendFile(lines)
    await target.handle.datasync()
  }
  return {
    kind: 'FILE',
    deliver: async (events: readonly StreamedEvent[]) => {
      const lines = await mapInChunks(events, (event) => `${streamLine(event, format)}\n`)
      try {
        await write(Buffer.from(lines.join('')))
      } catch (error) {
        // Part of a line may be there; opening the file again ends it.
        await leave().catch(() => undefined)
        throw error
      }
    },
    reopen: () => {
      moved = true
    },
    close: leave,
  }
}

const inodeAt = async (path: string): Promise<bigint | undefined> => {
  try {
    return (await stat(path, { bigint: true })).ino
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

/** Makes a folder in one that is there: a path with more that is missing is more likely a mistake than a wish. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

/** Opens the file to write behind what is there, and makes it and its folder if they are not. */
async function openFile(path: string): Promise<OpenFile> {
  await makeFolder(dirname(path))
  const known = await stat(path).catch(() => undefined)
  if (known && !known.isFile()) throw new Error(`${path} is not a file`)
  const handle = await open(path, 'a+', 0o600)
  try {
    const { ino, size } = await handle.stat({ bigint: true })
    if (size > 0n && !(await endsLine(handle, Number(size)))) await handle.appendFile('\n')
    return { handle, inode: ino }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** A process that was killed may have left part of a line; what is written next must not become the rest of it. */
async function endsLine(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

/** Every file that is kept gets the next number; the one that had the last is overwritten. */
async function putAside(path: string, keep: number): Promise<void> {
  for (let number = keep; number > 1; number -= 1)
    await renameIfThere(`${path}.${number - 1}`, `${path}.${number}`)
  await renameIfThere(path, `${path}.1`)
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
}
