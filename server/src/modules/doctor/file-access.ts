import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from './doctor-check.ts'

/** Returns the reason why this user cannot create files in a folder; undefined if it can. */
export function whyNotWritable(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** True if the group or others have any permission. Windows has no such permissions. */
export const isOpenToOthers = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

/** Returns the path, or the nearest parent folder that exists. */
export const nearestExisting = (path: string): string =>
  existsSync(path) ? path : nearestExisting(dirname(path))
