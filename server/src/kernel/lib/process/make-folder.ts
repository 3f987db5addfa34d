import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder for its owner only, and those above it that are not there yet. Node's own way tries for ever where the
 * system says of a folder that is there that it is not, as below `/proc`.
 *
 * @throws the error of the system, which names the folder that could not be made
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process was first.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
