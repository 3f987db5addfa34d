import { existsSync, statSync } from 'node:fs'
import { shellWord } from '@muster/contract/text/shell-word'
import { type DoctorCheck, type Finding, fail, ok, warn } from '../doctor-check.ts'
import { isOpenToOthers, nearestExisting, whyNotWritable } from '../file-access.ts'

/** Checks that the data folder is writable and closed to other users. */
export const dataFolderCheck: DoctorCheck = {
  name: 'data folder',
  run: ({ config: { data: folder } }) => {
    if (!existsSync(folder)) return [missingFolder(folder)]
    if (!statSync(folder).isDirectory())
      return [fail(`${folder} is a file, not a folder.`, 'Name a folder with --data.')]
    const findings: Finding[] = []
    const reason = whyNotWritable(folder)
    if (reason !== undefined) {
      const advice = 'Make the user that runs Muster its owner: chown -R.'
      findings.push(fail(`${folder} is not writable: ${reason}.`, advice))
    }
    if (isOpenToOthers(folder)) {
      const message = `Other users of this machine can read ${folder}.`
      findings.push(warn(message, `chmod 700 ${shellWord(folder)}`))
    }
    return findings.length > 0 ? findings : [ok(`${folder} is writable, and only for its owner.`)]
  },
}

function missingFolder(folder: string): Finding {
  const parent = nearestExisting(folder)
  const reason = statSync(parent).isDirectory() ? whyNotWritable(parent) : `${parent} is a file`
  return reason === undefined
    ? warn(
        `There is no data folder ${folder} yet.`,
        'The first start creates it. If your data is elsewhere, name the folder with --data.',
      )
    : fail(
        `There is no data folder ${folder}, and it cannot be created: ${reason}.`,
        'Create it for the user that runs Muster, or name another one with --data.',
      )
}
