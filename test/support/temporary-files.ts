import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Memory-backed folder of Linux; in containers it often has only 64 MiB. */
const inMemory = '/dev/shm'

/** Several times the space that concurrent tests need. */
const roomNeeded = 2 * 2 ** 30

/**
 * Returns the folder for temporary files: in memory if there is enough, otherwise the system's, or TMPDIR if set. A run
 * creates hundreds of databases; on disk they take a third of the time of the store tests. Nothing is tested less: tests
 * kill processes, and the system still has what these wrote.
 */
export function folderOfTemporaryFiles(): string {
  return process.env.TMPDIR === undefined && hasRoom() ? inMemory : tmpdir()
}

function hasRoom(): boolean {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    // Files there use memory that the tests need, too.
    return bavail * bsize >= roomNeeded && process.availableMemory() >= 2 * roomNeeded
  } catch {
    return false
  }
}
