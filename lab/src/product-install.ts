import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Packages, Product } from './lab-product.ts'

const run = promisify(execFile)
const cache = join(dirname(import.meta.dirname), '.cache')

/** Error if the packages of a product are not available. The product is then not counted. */
export class NotInstalled extends Error {}

/**
 * Installs the packages of a product into the cache if needed, and returns the folder.
 *
 * No install script runs; only the native addons that the product names are compiled.
 *
 * @throws NotInstalled if a registry is unreachable or lacks a version
 */
export async function installProduct({ name, packages }: Product): Promise<string> {
  if (packages === undefined) return cache
  // Products with the same packages share a folder.
  const [first = name] = [packages.npm ? Object.keys(packages.npm) : [], packages.debian ?? []].flat()
  const version = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 12)
  const folder = join(cache, `${first.replaceAll(/\W+/g, '-')}-${version}`)
  if (existsSync(folder)) return folder
  const building = `${folder}.${process.pid}`
  try {
    mkdirSync(building, { recursive: true })
    await installNpm(building, packages)
    await installDebian(building, packages)
    renameSync(building, folder)
  } catch (error) {
    rmSync(building, { recursive: true, force: true })
    // Another run was faster.
    if (existsSync(folder)) return folder
    throw new NotInstalled(`${name}: ${lastLines(error)}`, { cause: error })
  }
  return folder
}

async function installNpm(
  folder: string,
  { npm, overrides = {}, nativeAddons = [] }: Packages,
): Promise<void> {
  if (npm === undefined) return
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: npm, overrides }))
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: folder, maxBuffer: 2 ** 26 }
  await run('npm', ['install', '--ignore-scripts', '--legacy-peer-deps', ...quiet], options)
  for (const addon of nativeAddons) {
    const place = { ...options, cwd: join(folder, 'node_modules', addon) }
    await run('npx', ['--yes', 'node-gyp', 'rebuild'], place)
  }
}

/** Unpacks like dpkg, but skips a link if another package has a folder at its path. */
const unpack = `set -e
dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink --skip-old-files -C "$2"`

async function installDebian(folder: string, { debian, system }: Packages): Promise<void> {
  if (system !== undefined) {
    const environment = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    await run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...system], environment)
  }
  if (debian === undefined) return
  const root = join(folder, 'debian')
  for (const place of ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']) {
    mkdirSync(join(root, 'usr', place), { recursive: true })
    symlinkSync(`usr/${place}`, join(root, place))
  }
  for (const archive of await downloadDebian(folder, debian))
    await run('sh', ['-c', unpack, 'sh', archive, root])
}

/** Downloads packages with all dependencies, as if nothing were installed, and returns the files. */
async function downloadDebian(folder: string, debian: readonly string[]): Promise<string[]> {
  const archives = join(cache, 'archives')
  const nothing = join(folder, 'status')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  writeFileSync(nothing, '')
  const settings = [
    `Dir::State::status=${nothing}`,
    `Dir::Cache::archives=${archives}`,
    'Debug::NoLocking=true',
    'APT::Sandbox::User=root',
  ].flatMap((setting) => ['-o', setting])
  const install = ['-qq', ...settings, '-y', '--no-install-recommends', 'install', ...debian]
  const options = { maxBuffer: 2 ** 26 }
  await run('apt-get', ['--download-only', ...install], options)
  // An archive that is already cached is not listed, so simulate with an empty cache.
  const empty = ['-o', `Dir::Cache::archives=${folder}`]
  mkdirSync(join(folder, 'partial'))
  const { stdout } = await run('apt-get', ['--print-uris', ...install, ...empty], options)
  return stdout
    .split('\n')
    .filter((line) => line.startsWith("'"))
    .map((line) => join(archives, line.split(' ')[1] ?? ''))
}

const lastLines = (error: unknown): string =>
  String((error as { stderr?: string }).stderr || (error as Error).message)
    .trim()
    .split('\n')
    .slice(-3)
    .join(' ')
