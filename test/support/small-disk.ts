import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Small in-memory file system that can be filled up. */
export interface SmallDisk {
  readonly folder: string
  /** Uses all free space. */
  fill(): void
  /** Frees that space. */
  free(): void
  remove(): void
}

const mib = 1024 * 1024

/** Mounts a small file system, which requires root on Linux. */
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

/** Small disks for `describe.each`; empty if this user may not mount one. */
export const smallDisks: readonly ((sizeMib: number) => SmallDisk)[] = canMount() ? [mountSmallDisk] : []

function canMount(): boolean {
  try {
    mountSmallDisk(1).remove()
    return true
  } catch {
    return false
  }
}
