import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Packs the files of an installation.
 *
 * @returns the path of the archive, which `npm install -g` installs
 */
export function packForNpm(files: string, output: string): string {
  mkdirSync(output, { recursive: true })
  const options = ['pack', '--ignore-scripts', '--loglevel=error', '--json', '--pack-destination', output]
  const [packed] = JSON.parse(execFileSync('npm', options, { cwd: files, encoding: 'utf8' })) as [
    { readonly filename: string },
  ]
  return join(output, packed.filename)
}
