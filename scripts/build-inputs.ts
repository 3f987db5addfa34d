import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What a build is made from, as one hash: the same files with the same content give the same text.
 *
 * @param root the repository's folder
 * @param paths files and folders from there
 * @param leftOut paths that are no inputs, whatever folder they are in
 */
export function inputsDigest(root: string, paths: readonly string[], leftOut: RegExp): string {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((each) => filesUnder(root, each, leftOut)))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return `${hash.digest('hex')}\n`
}

/** Paths of all files at or under a path, from the repository's root. */
function filesUnder(root: string, path: string, leftOut: RegExp): string[] {
  if (leftOut.test(path)) return []
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(root, `${path}/${entry.name}`, leftOut) : [`${path}/${entry.name}`],
    )
    .filter((each) => !leftOut.test(each))
    .sort()
}
