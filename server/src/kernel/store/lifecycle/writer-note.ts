import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** A file next to the store that names a process with a long write, for messages of those who wait. It is not a lock. */
const notePath = (file: string): string => `${file}-writer`

interface WriterNote {
  readonly pid: number
  /** Activity of the process: `muster import of accounts.jsonl`. */
  readonly work: string
  /** Start of the activity; UNIX milliseconds. */
  readonly sinceMs: number
}

/** Creates a note that this process writes for a long time. @returns a function that removes it */
export function leaveWriterNote(file: string, work: string, nowMs: number): () => void {
  const note: WriterNote = { pid: process.pid, work, sinceMs: nowMs }
  writeFileSync(notePath(file), JSON.stringify(note), { mode: 0o600 })
  return () => rmSync(notePath(file), { force: true })
}

/** Returns a clause that names the writer of the store, if there is a note. */
export function describeWriter(file: string): string {
  const unknown = 'another process is writing to it'
  try {
    const { pid, work, sinceMs } = JSON.parse(readFileSync(notePath(file), 'utf8')) as WriterNote
    return isRunning(pid)
      ? `${work} is writing to it (process ${pid}, since ${new Date(sinceMs).toISOString()})`
      : unknown
  } catch {
    return unknown
  }
}

/** Returns true if the process exists. A killed process leaves its note. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as { code?: string }).code === 'EPERM'
  }
}
