import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { mapInChunks } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { type StreamedEvent, type StreamFormat, streamLine } from './formats/stream-line.ts'
import type { StreamTarget } from './stream-target.ts'

export interface FileStreamOptions {
  readonly path: string
  readonly format: StreamFormat
  /** Size at which the file is rotated. */
  readonly maxBytes: number
  /** Number of rotated files to keep, at least one; `<path>.1` is the newest. */
  readonly keep: number
}

interface OpenFile {
  readonly handle: FileHandle
  readonly inode: bigint
}

/**
 * Creates a stream that writes one line per event to a file of mode 0600. Delivered events are flushed to disk. It
 * detects before each write if the file was moved or removed, so `logrotate` needs no signal.
 */
export function fileStream(options: FileStreamOptions): StreamTarget {
  const { path, format, maxBytes } = options
  let file: OpenFile | undefined
  const close = async (): Promise<void> => {
    const opened = file
    file = undefined
    await opened?.handle.close()
  }
  let moved = false
  const current = async (): Promise<OpenFile> => {
    if (file && (moved || file.inode !== (await inodeAt(path)))) await close()
    moved = false
    file ??= await openFile(path)
    return file
  }
  const write = async (lines: Buffer): Promise<void> => {
    let target = await current()
    const { size } = await target.handle.stat()
    if (size > 0 && size + lines.length > maxBytes) {
      await close()
      await rotate(path, options.keep)
      target = await current()
    }
    await target.handle.appendFile(lines)
    await target.handle.datasync()
  }
  return {
    kind: 'FILE',
    limits: { maxEvents: 200, maxLength: 400_000, maxInFlight: 1 },
    deliver: async (events: readonly StreamedEvent[]) => {
      const lines = await mapInChunks(events, (event) => `${streamLine(event, format)}\n`)
      try {
        await write(Buffer.from(lines.join('')))
      } catch (error) {
        // A partial line may have been written. Reopening the file completes it with a line break.
        await close().catch(() => undefined)
        throw error
      }
      return undefined
    },
    reopen: () => {
      moved = true
    },
    close,
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

/** Creates a folder but not its parents: a path with several missing folders is more likely a mistake. */
async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

/** Opens the file for appending. Creates the file and its folder if needed. */
async function openFile(path: string): Promise<OpenFile> {
  await createFolder(dirname(path))
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

/** False if the file ends with a partial line of a killed process, which the next event must not continue. */
async function endsLine(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

/** Renames the file to `.1`, `.1` to `.2` and so on, and overwrites the oldest. */
async function rotate(path: string, keep: number): Promise<void> {
  for (let number = keep; number > 1; number -= 1)
    await renameIfExists(`${path}.${number - 1}`, `${path}.${number}`)
  await renameIfExists(path, `${path}.1`)
}

async function renameIfExists(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
}
