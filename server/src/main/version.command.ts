import { defineCommand } from '../kernel/cli/command.ts'
import { version } from '../kernel/lib/version.ts'

/** `muster version` and `muster --version` */
export const versionCommand = defineCommand({
  name: 'version',
  summary: 'Print the versions of Muster and Node.js',
  options: {},
  json: true,
  async run(context) {
    if (context.json) context.printJson({ version, node: process.versions.node })
    else context.print(`muster ${version} (Node ${process.versions.node})`)
  },
})
