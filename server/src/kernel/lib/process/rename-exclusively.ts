import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'

/** What systems say where a file cannot have a second name. */
const withoutLinks: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Gives a file that is whole its name, unless there is one of that name, which is never written over. Of several
 * processes that do so at once, one is the first.
 *
 * @throws the error of the system: EEXIST if there is one
 */
export function renameExclusively(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!withoutLinks.includes((error as { code?: string }).code)) throw error
    claimName(draft, path)
    return
  }
  rmSync(draft)
}

/** The name is taken by an empty file first, as a file is renamed over any other without a question. */
function claimName(draft: string, path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(path)
    throw error
  }
}
