import manifest from '../../package.json' with { type: 'json' }
import { defineCommand } from './command.ts'

/** The version of this release, as in the package's manifest. */
export const version: string = manifest.version

/** `muster version`. */
export const versionCommand = defineCommand({
  name: 'version',
  summary: 'Print the version of Muster and of the Node that runs it',
  options: {},
  json: true,
  async run(context) {
    if (context.json) context.printJson({ version, node: process.versions.node })
    else context.print(`muster ${version} (Node ${process.versions.node})`)
  },
})
