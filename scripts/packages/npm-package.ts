import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
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

/**
 * Lists the components of an installation in the format CycloneDX.
 *
 * @returns the path of the list
 * @throws Error if a package is missing or has another version than its dependents need
 */
export function listComponents(files: string, output: string): string {
  const options = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--omit',
    'dev',
    '--omit',
    'optional',
    '--loglevel=error',
  ]
  const path = join(output, 'muster.cdx.json')
  mkdirSync(output, { recursive: true })
  writeFileSync(path, execFileSync('npm', options, { cwd: files }))
  return path
}
