import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { version } from './runtime-files.ts'

const root = join(import.meta.dirname, '..', '..')
const sources = join(root, 'deploy', 'debian')

interface DebianOptions {
  /** Default: that of Muster. */
  readonly version?: string
  /** Level of compression, from 0 to 9. */
  readonly compression?: number
}

/**
 * Builds a Debian package with the files of an installation and the locked Node.
 *
 * @returns the path of the package
 */
export function buildDebianPackage(files: string, output: string, options: DebianOptions = {}): string {
  const { version: packageVersion = version, compression = 6 } = options
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const tree = join(output, 'debian')
  rmSync(tree, { recursive: true, force: true })
  const library = join(tree, 'usr', 'lib', 'muster')
  const documentation = join(tree, 'usr', 'share', 'doc', 'muster')
  for (const name of ['server', 'agent', 'console', 'node_modules', 'package.json'])
    cpSync(join(files, name), join(library, name), { recursive: true })
  place(process.execPath, join(library, 'bin', 'node'), 0o755)
  place(join(sources, 'muster.sh'), join(tree, 'usr', 'bin', 'muster'), 0o755)
  place(join(sources, 'muster.toml'), join(tree, 'etc', 'muster', 'muster.toml'), 0o640)
  place(join(sources, 'muster.service'), join(tree, 'lib', 'systemd', 'system', 'muster.service'), 0o644)
  place(join(files, 'LICENSE'), join(documentation, 'copyright'), 0o644)
  for (const name of ['README.md', 'NOTICE']) place(join(files, name), join(documentation, name), 0o644)
  for (const name of ['grafana', 'prometheus', 'sigma'])
    cpSync(join(files, 'deploy', name), join(documentation, 'examples', name), { recursive: true })
  const control = join(tree, 'DEBIAN')
  for (const name of ['postinst', 'prerm', 'postrm']) place(join(sources, name), join(control, name), 0o755)
  place(join(sources, 'templates'), join(control, 'templates'), 0o644)
  const { sums, kibibytes } = describeFiles(tree)
  writeFileSync(join(control, 'md5sums'), sums)
  writeFileSync(join(control, 'conffiles'), '/etc/muster/muster.toml\n')
  writeFileSync(join(control, 'control'), controlFile(packageVersion, architecture, kibibytes))
  const file = join(output, `muster_${packageVersion}_${architecture}.deb`)
  // xz takes ten times as long for a fifth less.
  const options_ = ['--root-owner-group', '-Zgzip', `-z${compression}`, '--build', tree, file]
  execFileSync('dpkg-deb', options_, { stdio: ['ignore', 'ignore', 'inherit'] })
  rmSync(tree, { recursive: true, force: true })
  return file
}

function place(from: string, to: string, mode: number): void {
  mkdirSync(join(to, '..'), { recursive: true })
  cpSync(from, to, { dereference: true })
  chmodSync(to, mode)
}

function describeFiles(tree: string): { sums: string; kibibytes: number } {
  let bytes = 0
  let sums = ''
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(tree, path)
    if (!entry.isFile() || /^(?:DEBIAN|etc)\//.test(name)) continue
    const content = readFileSync(path)
    bytes += content.length
    // The format of dpkg, which checks for accidental changes only.
    sums += `${createHash('md5').update(content).digest('hex')}  ${name}\n`
  }
  return { sums, kibibytes: Math.ceil(bytes / 1024) }
}

const controlFile = (packageVersion: string, architecture: string, kibibytes: number): string =>
  `Package: muster
Version: ${packageVersion}
Architecture: ${architecture}
Maintainer: The Muster authors <muster@localhost>
Installed-Size: ${kibibytes}
Depends: adduser, debconf (>= 0.5) | debconf-2.0, init-system-helpers (>= 1.54), libc6 (>= 2.28), libgcc-s1, libstdc++6, util-linux
Suggests: postgresql, redis-server
Section: admin
Priority: optional
Description: open, self-hosted workforce-security platform
 Muster keeps an inventory of a company's people, accounts, apps, browsers and
 extensions, with findings and detections. An agent in every browser reports
 logins; passwords never leave it.
`
