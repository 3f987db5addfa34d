import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own in memory, which can be filled up. */
export interface SmallDisk {
  readonly folder: string
  /** Takes all space that is left. */
  fill(): void
  /** Gives that space back. */
  free(): void
  remove(): void
}

const mib = 1024 * 1024

/** Mounts a small file system. Linux lets only root do that. */
function mountSmallDisk(sizeMib: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'muster-small-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=700`, 'tmpfs', folder], {
    stdio: 'pipe',
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => {
      const file = openSync(filler, 'a')
      try {
        for (;;) writeSync(file, Buffer.alloc(Math.min(mib, statfsSync(folder).bavail * 4096 || 1)))
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
    remove: () => {
      execFileSync('umount', [folder], { stdio: 'pipe' })
      rmSync(folder, { recursive: true })
    },
  }
}

/** Ways to get a small disk, for `describe.each`: one, or none where this user may mount nothing. */
export const smallDisks: readonly ((sizeMib: number) => SmallDisk)[] = canMount() ? [mountSmallDisk] : []

function canMount(): boolean {
  try {
    mountSmallDisk(1).remove()
    return true
  } catch {
    return false
  }
}
