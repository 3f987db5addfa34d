import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** What Linux keeps in memory and shows as a folder; containers often have one of 64 MiB. */
const inMemory = '/dev/shm'

/** Several times what all that runs at once keeps there. */
const roomNeeded = 2 * 2 ** 30

/**
 * Where the tests keep their files: in memory where there is much of it, else where the system keeps temporary files, or
 * wherever TMPDIR says. A run makes hundreds of databases of hundreds of files each, which takes a disk a third of the time
 * of the tests of the store. Nothing is tested less: what a test kills is a process, and what that had written the system
 * still has.
 */
export function folderOfTemporaryFiles(): string {
  return process.env.TMPDIR === undefined && hasRoom() ? inMemory : tmpdir()
}

function hasRoom(): boolean {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    // What is written there is memory that the tests themselves then lack.
    return bavail * bsize >= roomNeeded && process.availableMemory() >= 2 * roomNeeded
  } catch {
    return false
  }
}
