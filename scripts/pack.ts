// `npm run package`: writes what a release publishes to dist/: the npm packages of the server and of the SDK, the list of the
// server's components, and on Debian the Debian package.
//
//   node scripts/pack.ts            all
//   node scripts/pack.ts --npm      only the npm packages
//   node scripts/pack.ts --files    only their files, in dist/files, as the container has them
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { buildDebianPackage } from './packages/debian-package.ts'
import { listComponents, packForNpm } from './packages/npm-package.ts'
import { writeRuntimeFiles } from './packages/runtime-files.ts'
import { writeSdkFiles } from './packages/sdk-package.ts'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { findCommand } from './programs.mjs'

const root = join(import.meta.dirname, '..')
const output = join(root, 'dist')
const files = join(output, 'files')

for (const script of ['build-agent.ts', 'build-console.ts'])
  execFileSync(process.execPath, [join(import.meta.dirname, script)], { stdio: 'inherit' })
writeRuntimeFiles(files)
const isOnly = (kind: string): boolean => process.argv.includes(`--${kind}`)
if (isOnly('files')) console.log(files)
else {
  console.log(packForNpm(files, output))
  const sdkFiles = join(output, 'sdk')
  writeSdkFiles(sdkFiles)
  console.log(packForNpm(sdkFiles, output))
  console.log(listComponents(files, output))
  if (!isOnly('npm') && findCommand('dpkg-deb')) console.log(buildDebianPackage(files, output))
}
