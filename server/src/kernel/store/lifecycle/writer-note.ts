import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Beside the embedded store's file: who writes to it for long, for those who wait. It grants and keeps nothing. */
const notePath = (file: string): string => `${file}-writer`

interface WriterNote {
  readonly pid: number
  /** What the process does: `muster import of accounts.jsonl`. */
  readonly work: string
  /** Since when, in UNIX milliseconds. */
  readonly sinceMs: number
}

/** Leaves a note that this process writes for long. @returns what takes it away again */
export function leaveWriterNote(file: string, work: string, nowMs: number): () => void {
  const note: WriterNote = { pid: process.pid, work, sinceMs: nowMs }
  writeFileSync(notePath(file), JSON.stringify(note), { mode: 0o600 })
  return () => rmSync(notePath(file), { force: true })
}

/** Who writes to the store, in words; as far as that is known. */
export function describeWriter(file: string): string {
  const unknown = 'another process writes to it'
  try {
    const { pid, work, sinceMs } = JSON.parse(readFileSync(notePath(file), 'utf8')) as WriterNote
    return isRunning(pid)
      ? `${work} writes to it (process ${pid}, since ${new Date(sinceMs).toISOString()})`
      : unknown
  } catch {
    return unknown
  }
}

/** Whether there is such a process; the note of one that was killed stays behind. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, but somebody else's.
    return (error as { code?: string }).code === 'EPERM'
  }
}
