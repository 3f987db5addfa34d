import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DoctorCheck, fail, messageOf, ok } from '../doctor-check.ts'

/** Checks that the configured events file is writable. */
export const eventsFileCheck: DoctorCheck = {
  name: 'events file',
  run: ({ config: { eventsFile: path } }) => {
    if (path === undefined) return []
    const target = [path, dirname(path)].find(existsSync) ?? dirname(dirname(path))
    try {
      accessSync(target, constants.W_OK)
      if (target === path && statSync(path).isDirectory()) throw new Error('it is a directory')
      return [ok(`Events can be written to ${path}.`)]
    } catch (error) {
      const advice = 'Create its folder, let this user write there, or change MUSTER_EVENTS_FILE.'
      return [fail(`Events cannot be written to ${path}: ${messageOf(error)}.`, advice)]
    }
  },
}
