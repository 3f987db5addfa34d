import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a hash of the inputs of a build.
 *
 * @param root folder of the repository
 * @param paths files and folders, relative to the root
 * @param ignored paths to ignore, in any folder
 */
export function inputsDigest(root: string, paths: readonly string[], ignored: RegExp): string {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((each) => filesUnder(root, each, ignored)))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return `${hash.digest('hex')}\n`
}

/** Returns all files at or below a path, relative to the root. */
function filesUnder(root: string, path: string, ignored: RegExp): string[] {
  if (ignored.test(path)) return []
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(root, `${path}/${entry.name}`, ignored) : [`${path}/${entry.name}`],
    )
    .filter((each) => !ignored.test(each))
    .sort()
}
