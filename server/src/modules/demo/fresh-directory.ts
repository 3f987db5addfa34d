import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandFailure } from '../../kernel/cli/command.ts'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import { isStoreInUse } from '../../kernel/store/lifecycle/in-use.ts'
import { sqliteFile } from '../../kernel/store/lifecycle/open.ts'

/** The file that says that a directory was made for a demo, and may be deleted by the next one. */
export const demoMark = '.muster-demo'

/**
 * Gives the demo an empty data directory of its own, beside the real one, which is never touched.
 *
 * @throws CommandFailure if what is there was not made by a demo, or a server uses it
 */
export function freshDemoDirectory(dataDir: string): string {
  const folder = join(dirname(dataDir), 'data-demo')
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    if (!existsSync(join(folder, demoMark))) {
      throw new CommandFailure(
        `${folder} was not made by a demo, so it is not deleted: move it, or name another place with --data.`,
      )
    }
    if (isStoreInUse(sqliteFile(folder))) {
      throw new CommandFailure(`A server still uses ${folder}: stop it, then start the demo again.`)
    }
    rmSync(folder, { recursive: true })
  }
  makeFolder(folder)
  writeFileSync(
    join(folder, demoMark),
    'Made by muster demo --fresh, which deletes this directory when it runs again.\n',
  )
  return folder
}
