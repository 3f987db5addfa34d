import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Version of Muster. */
export const { version } = readManifest(root)

/** Files of packages that only developers need. */
const isDevelopment = (path: string): boolean =>
  /\.(?:map|[cm]?ts|tsbuildinfo|markdown|flow)$|(?:^|\/)(?:tests?|docs?|examples?|benchmarks?|\.github)\//.test(
    path,
  ) || /\/(?:changelog|readme|history|contributing|security)(?:\.md)?$/i.test(path)

const isTest = (path: string): boolean => /\.test\.ts$/.test(path)

/**
 * Writes the files of an installation: server, command line, built console and agent, and all packages that they need at the
 * locked versions. TypeScript becomes JavaScript, because Node runs none below `node_modules`. Comments and line numbers stay.
 *
 * @param folder is emptied first
 */
export function writeRuntimeFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const file of ['LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md', 'deploy']) copy(file, folder)
  for (const built of ['agent/dist', 'console/dist']) {
    if (!existsSync(join(root, built))) throw new Error(`${built} is missing: build it first`)
    copy(built, folder)
  }
  copySource('server/src', join(folder, 'server', 'src'))
  copy('server/vendor', folder)
  const contract = join(folder, 'node_modules', '@muster', 'contract')
  copySource('contract/src', join(contract, 'src'))
  const { name, license, dependencies } = readManifest(join(root, 'contract'))
  const exports = { './*': './src/*.js' }
  writeJson(join(contract, 'package.json'), { name, version, license, type: 'module', exports, dependencies })
  for (const path of runtimePackages()) {
    // Packages of a workspace move to the others: npm packs no other `node_modules`.
    const target = join(folder, path.replace(/^(?:server|contract)\//, ''))
    if (existsSync(target)) throw new Error(`${path}: there is another version beside it`)
    copyPackage(path, target)
  }
  useTypeboxBundle(folder)
  writeManifest(folder)
  makeReadable(folder)
}

/** Gives everybody the right to read: built folders can have been made for their owner only. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, entry.isDirectory() || path.endsWith('/bin/muster.mjs') ? 0o755 : 0o644)
  }
}

function copy(path: string, folder: string): void {
  const from = join(root, path)
  if (existsSync(from)) cpSync(from, join(folder, path), { recursive: true, dereference: true })
}

/** Copies source files without tests. `./x.ts` becomes `./x.js`, in imports and in addresses of modules for threads. */
function copySource(path: string, target: string): void {
  const from = join(root, path)
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const name = relative(from, file)
    if (!entry.isFile() || isTest(name)) continue
    const to = join(target, name.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(to), { recursive: true })
    if (!/\.(?:ts|mjs)$/.test(name)) cpSync(file, to)
    else {
      const text = readFileSync(file, 'utf8')
      const code = name.endsWith('.ts') ? stripTypeScriptTypes(text, { mode: 'strip' }) : text
      writeFileSync(to, code.replaceAll(/(['"`])(\.{1,2}\/[^'"`\n]+)\.ts\1/g, '$1$2.js$1'))
    }
  }
}

/** Returns the folders of all packages that the server needs, found as Node finds them: `node_modules/fastify`. */
function runtimePackages(): string[] {
  const found = new Set<string>()
  const visit = (from: string, dependencies: Readonly<Record<string, string>> = {}): void => {
    for (const name of Object.keys(dependencies)) {
      if (name.startsWith('@muster/')) continue
      const path = resolvePackage(from, name)
      if (path === undefined || found.has(path)) continue
      found.add(path)
      const { dependencies, optionalDependencies } = readManifest(join(root, path))
      visit(path, { ...optionalDependencies, ...dependencies })
    }
  }
  for (const workspace of ['server', 'contract'])
    visit(workspace, readManifest(join(root, workspace)).dependencies)
  return [...found].sort()
}

/** @param from folder of the importing package, relative to the repository */
function resolvePackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(root, path, 'package.json'))) return path
    if (folder === '.') return undefined
  }
}

function copyPackage(path: string, target: string): void {
  const from = join(root, path)
  cpSync(from, target, {
    recursive: true,
    dereference: true,
    filter: (file) => {
      const name = relative(from, file)
      if (name === 'node_modules') return false
      return statSync(file).isDirectory() || !isDevelopment(`/${name}`)
    },
  })
}

/** Replaces the 537 files of typebox by the bundle of `scripts/bundle-typebox.ts`, if there is one. */
function useTypeboxBundle(folder: string): void {
  const target = join(folder, 'node_modules', 'typebox')
  const bundle = join(root, 'node_modules', '.cache', 'muster', `typebox-${readManifest(target).version}`)
  if (!existsSync(bundle)) return
  rmSync(join(target, 'build'), { recursive: true })
  cpSync(bundle, target, { recursive: true })
}

/** Writes the manifest: all packages are part of the archive, except for the Node of the system. */
function writeManifest(folder: string): void {
  const { optionalDependencies = {}, license } = readManifest(root)
  const dependencies = Object.fromEntries(
    ['server', 'contract'].flatMap((workspace) => {
      const { dependencies = {} } = readManifest(join(root, workspace))
      return Object.entries(dependencies)
    }),
  )
  writeJson(join(folder, 'package.json'), {
    name: 'muster',
    version,
    description: 'Open, self-hosted workforce-security platform',
    license,
    type: 'module',
    bin: { muster: 'bin/muster.mjs' },
    engines: { node: '>=18' },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
    optionalDependencies,
  })
  cpSync(join(import.meta.dirname, 'launcher.mjs'), join(folder, 'bin', 'muster.mjs'))
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)
}
