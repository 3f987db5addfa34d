import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'

/** Error codes of file systems without hard links. */
const noHardLinks: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Renames a complete file, but never overwrites an existing one. If several processes do so concurrently, one succeeds.
 *
 * @throws the system error; EEXIST if a file of that name exists
 */
export function renameExclusively(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!noHardLinks.includes((error as { code?: string }).code)) throw error
    claimName(draft, path)
    return
  }
  rmSync(draft)
}

/** Creates an empty file to claim the name, because `rename` replaces existing files. */
function claimName(draft: string, path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(path)
    throw error
  }
}
