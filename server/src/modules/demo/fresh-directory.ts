import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandFailure } from '../../kernel/cli/command.ts'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import { isStoreInUse } from '../../kernel/store/lifecycle/in-use.ts'
import { sqliteFile } from '../../kernel/store/lifecycle/open.ts'

/** Marker file: the folder was created by a demo and may be deleted by the next one. */
const demoMarkerFile = '.muster-demo'

/**
 * Creates an empty data folder for a demo, next to the real one.
 *
 * @throws CommandFailure if the existing folder was not created by a demo, or a server uses it
 */
export function freshDemoDirectory(dataDir: string): string {
  const folder = join(dirname(dataDir), 'data-demo')
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    if (!existsSync(join(folder, demoMarkerFile))) {
      throw new CommandFailure(
        `${folder} was not created by a demo and is not deleted. Move it, or choose another folder with --data.`,
      )
    }
    if (isStoreInUse(sqliteFile(folder))) {
      throw new CommandFailure(`A server is using ${folder}. Stop it, then start the demo again.`)
    }
    rmSync(folder, { recursive: true })
  }
  makeFolder(folder)
  writeFileSync(
    join(folder, demoMarkerFile),
    'Created by muster demo --fresh, which deletes this folder on the next run.\n',
  )
  return folder
}
