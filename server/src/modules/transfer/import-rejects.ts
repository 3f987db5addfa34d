import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CommandContext, CommandFailure, UsageError } from '../../kernel/cli/command.ts'
import { writeAll } from '../../kernel/lib/process/write-all.ts'
import type { Reject } from './import-report.ts'

/** Output of rejected lines. */
export interface Rejects {
  add(reject: Reject): void
  /** Prints the number of rejected lines, `before` of them in an earlier part of the import, and their location. */
  printSummary(rejected: number, before: number): void
  close(): void
}

const rejectsShown = 20

/**
 * Opens the file for rejected lines. It must be missing or empty, to never overwrite anything, unless the import resumes
 * an earlier one.
 *
 * @param path path as typed; without it, rejects are only printed
 * @param isResumed appends to the rejects of an earlier part of the import
 * @param read files that the import reads; `-` is standard input
 * @throws UsageError, CommandFailure
 */
export function openRejects(
  context: CommandContext,
  path: string | undefined,
  isResumed: boolean,
  read: readonly string[],
): Rejects {
  const file = path === undefined ? undefined : openFor(resolve(context.io.cwd, path), path, isResumed, read)
  const hasEarlier = file !== undefined && fstatSync(file).size > 0
  let count = 0

  function location(before: number): string {
    if (before > 0 && !hasEarlier)
      return `Only those of this run are ${path === undefined ? 'shown' : `in ${path}`}. To get all, pull everything again with --restart and --rejects FILE.`
    return path === undefined ? 'Save them with --rejects FILE.' : `They are in ${path}.`
  }

  function write(into: number, line: string): void {
    try {
      writeAll(into, Buffer.from(line))
    } catch (error) {
      throw Object.assign(error as Error, { path })
    }
  }

  return {
    add(reject) {
      const { text, ...rest } = reject
      if (file !== undefined) write(file, `${JSON.stringify({ ...rest, record: text })}\n`)
      count += 1
      // Clears a progress bar on the line.
      const start = context.io.stderr.isTTY === true ? '\r\u001B[K' : ''
      if (count <= rejectsShown) context.note(`${start}${reject.file}:${reject.line}: ${reject.reason}`)
    },
    printSummary(rejected, before) {
      if (rejected === 0) return
      const earlier = before > 0 ? `, ${before} of them before this pull was resumed` : ''
      const more = count > rejectsShown ? ` The first ${rejectsShown} are shown above.` : ''
      context.note(`Rejected lines: ${rejected}${earlier}.${more} ${location(before)}`)
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function openFor(path: string, typed: string, isResumed: boolean, read: readonly string[]): number {
  const option = `--rejects ${JSON.stringify(typed)}`
  try {
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing && read.some((each) => isSame(existing, each)))
      throw new UsageError(`${option} is a file that the import reads. Name another one.`)
    if (existing?.isFile() && existing.size > 0 && !isResumed)
      throw new CommandFailure(`${option} already exists. Name another file.`)
    // Append, so nothing is overwritten if another process wrote to the file in the meantime.
    return openSync(path, 'a', 0o600)
  } catch (error) {
    if (error instanceof UsageError || error instanceof CommandFailure) throw error
    throw new CommandFailure(
      `${option} must be a writable file: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

/** Returns true if a path leads to that file, under any name. */
function isSame({ dev, ino }: Stats, path: string): boolean {
  const other = path === '-' ? fstatSync(0) : statSync(path, { throwIfNoEntry: false })
  return other?.dev === dev && other.ino === ino
}
