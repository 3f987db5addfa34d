import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDebianPackage } from '../../scripts/packages/debian-package.ts'
import { listComponents, packForNpm } from '../../scripts/packages/npm-package.ts'
import { version, writeRuntimeFiles } from '../../scripts/packages/runtime-files.ts'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { findCommand } from '../../scripts/programs.mjs'
import { freePort } from '../../test/support/private-server.ts'
import { until } from '../../test/support/until.ts'

// Not in the folder for temporary files, which is in memory: packages are large.
const cache = join(import.meta.dirname, '..', '..', '.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'packages-'))
const files = join(folder, 'files')
const dataFolder = '/var/lib/muster'
const settingsFile = '/etc/muster/muster.toml'
/** True where a package can be installed without touching an installation of somebody else. */
const canInstall =
  process.getuid?.() === 0 &&
  findCommand('dpkg') !== undefined &&
  !existsSync(dataFolder) &&
  !existsSync('/etc/muster')

beforeAll(() => writeRuntimeFiles(files))
afterAll(async () => {
  if (canInstall && existsSync('/etc/muster')) await run('dpkg', ['-P', 'muster'])
  if (canInstall) rmSync(dataFolder, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

/** Environment without the packages of the repository. */
const environment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: folder, DEBIAN_FRONTEND: 'noninteractive' }

/** Runs a program. @throws Error with its output if it fails */
async function run(file: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { stdout } = await promisify(execFile)(file, args, { cwd: folder, env: { ...environment, ...more } })
  return stdout
}

interface Served {
  readonly health: unknown
  readonly consoleStatus: number
  readonly log: string
}

/** Starts a server, reads from it and stops it. */
async function serve(
  [file = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(file, args, { cwd: folder, env: { ...environment, ...settings } })
  const exited = once(child, 'exit')
  let log = ''
  child.stdout.on('data', (text) => {
    log += text
  })
  child.stderr.on('data', (text) => {
    log += text
  })
  const address = await until('server', () => {
    if (child.exitCode !== null) throw new Error(`the server ended: ${log}`)
    return /Muster serves at (\S+)/.exec(log)?.[1]
  })
  const health = await (await fetch(`${address}/healthz`)).json()
  const { status: consoleStatus } = await fetch(`${address}/console/`)
  child.kill('SIGTERM')
  const [code] = await exited
  expect({ code, log }).toEqual({ code: 0, log: expect.any(String) })
  return { health, consoleStatus, log }
}

const served = (expected = version) => ({
  health: { status: 'ok', version: expected },
  consoleStatus: 200,
  log: expect.any(String),
})

const plainSettings = {
  MUSTER_PLAIN_HTTP: 'true',
  MUSTER_HOST: '127.0.0.1',
  MUSTER_PORT: '0',
  MUSTER_METRICS_PORT: '0',
  MUSTER_DRAIN_SECONDS: '0',
}

test('the list of components is complete', () => {
  const { bomFormat, components } = JSON.parse(readFileSync(listComponents(files, folder), 'utf8'))
  const names = (components as { name: string }[]).map(({ name }) => name)
  expect([bomFormat, names.includes('fastify'), names.includes('vitest')]).toEqual(['CycloneDX', true, false])
})

describe('the npm package', () => {
  test('installs the command, which serves console and agent with the locked Node', async () => {
    const archive = packForNpm(files, folder)
    const prefix = join(folder, 'prefix')
    const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', ['install', '-g', '--prefix', prefix, ...quick, archive])
    const muster = join(prefix, 'bin', 'muster')
    expect(await run(muster, ['--version'])).toBe(`muster ${version} (Node ${process.versions.node})\n`)
    const data = join(folder, 'data')
    expect(await serve([muster, 'serve'], { ...plainSettings, MUSTER_DATA: data })).toEqual(served())
    expect(await run(muster, ['doctor', '--data', data, '--port', '0', '--metrics-port', '0'])).toContain(
      'ok',
    )
    const installed = join(prefix, 'lib', 'node_modules', 'muster')
    const names = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => /\.test\.[jt]s$|(?:^|\/)(?:src|dist)\/.*(?<!\.d)\.ts$/.test(name))).toEqual(
      [],
    )
    expect(names.filter((name) => /\.(?:db|pem|key)$/.test(name))).toEqual([])
  })
})

test('npm pack in a checkout makes the same package, and leaves the manifest as it was', async () => {
  const checkout = join(folder, 'checkout')
  const manifest = join(checkout, 'package.json')
  const root = join(import.meta.dirname, '..', '..')
  mkdirSync(join(checkout, 'dist'), { recursive: true })
  copyFileSync(join(root, 'package.json'), manifest)
  await run('cp', ['-al', files, join(checkout, 'dist', 'files')])
  const before = readFileSync(manifest, 'utf8')
  const { prepack, postpack } = JSON.parse(before).scripts as Record<string, string>
  // The files are built already.
  const [, build, name = ''] = `${prepack}`.split(' && ')
  expect(build).toBe('node scripts/pack.ts --files')
  const inCheckout = (line: string) => run('sh', ['-c', `cd checkout && ${line}`])
  await inCheckout(name)
  const archive = packForNpm(checkout, folder)
  await inCheckout(`${postpack}`)
  expect(readFileSync(manifest, 'utf8')).toBe(before)

  await run('tar', ['-xzf', archive, '-C', checkout])
  const unpacked = join(checkout, 'package')
  // npm leaves out empty folders, and lists of what to leave out.
  const names = (of: string) =>
    readdirSync(of, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '.npmignore')
      .map(({ parentPath, name }) => relative(of, join(parentPath, name)))
      .sort()
  expect(names(join(unpacked, 'dist', 'files'))).toEqual(names(files))
  const { bin } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  expect(await run(process.execPath, [join(unpacked, bin.muster), '--version'])).toContain(version)
})

describe('the Debian package', () => {
  const build = (packageVersion: string) => {
    const options = { version: packageVersion, compression: 0 }
    return buildDebianPackage(files, folder, options)
  }

  /** Returns the values of a setting in the installed unit. */
  const linesOf = (tree: string, name: string): string[] =>
    readFileSync(join(tree, 'lib/systemd/system/muster.service'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))
  const unitCommand = (tree: string): string[] => linesOf(tree, 'ExecStart')[0]?.split(' ') ?? []

  const checkUnpacked = async () => {
    const tree = join(folder, 'unpacked')
    await run('dpkg-deb', ['-x', build(version), tree])
    const data = join(folder, 'data-unpacked')
    const command = unitCommand(tree).map((word) => (word.startsWith('/') ? join(tree, word) : word))
    expect(await serve(command, { ...plainSettings, MUSTER_DATA: data })).toEqual(served())
  }

  const checkInstalled = async () => {
    await run('dpkg', ['-i', build(version)])
    const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8)
    expect([mode(dataFolder), mode(settingsFile), mode('/etc/muster')]).toEqual(['700', '640', '750'])
    const port = await freePort()
    const settings = `plain_http = true\nhost = "127.0.0.1"\nport = ${port}\nmetrics_port = 0\ndrain_seconds = 0\n`
    writeFileSync(settingsFile, settings)

    const asService = [
      'setpriv',
      '--reuid=muster',
      '--regid=muster',
      '--init-groups',
      '--',
      ...unitCommand('/'),
    ]
    const [pairs = ''] = linesOf('/', 'Environment')
    const fromUnit = Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')))
    expect(await serve(asService, fromUnit)).toEqual(served())
    const key = [
      'keys',
      'create',
      '--name',
      'first',
      '--holder',
      'ada@example.com',
      '--permission',
      'read-only',
    ]
    await run('muster', key)
    const owners = new Set(readdirSync(dataFolder).map((name) => statSync(join(dataFolder, name)).uid))
    expect(owners.size).toBe(existsSync(join(dataFolder, 'muster.toml')) ? 2 : 1)

    // An upgrade keeps data and settings.
    const newer = build(`${version}+1`)
    await run('dpkg', ['-i', newer])
    expect(await run('dpkg-query', ['-W', 'muster'])).toBe(`muster\t${version}+1\n`)
    expect(readFileSync(settingsFile, 'utf8')).toBe(settings)
    expect(await run('muster', ['keys', 'list'])).toContain('first')

    // A purge asks, and keeps the data by default. A new installation continues with it.
    await run('dpkg', ['-P', 'muster'])
    expect([existsSync('/etc/muster'), existsSync('/usr/lib/muster')]).toEqual([false, false])
    await run('dpkg', ['-i', newer])
    expect(await run('muster', ['keys', 'list'])).toContain('first')
    const preseed = spawn('debconf-set-selections', { env: environment })
    preseed.stdin.end('muster muster/delete-data boolean true\n')
    await once(preseed, 'exit')
    await run('dpkg', ['-P', 'muster'])
    expect(existsSync(dataFolder)).toBe(false)
  }

  test(
    canInstall ? 'is installed, upgraded and purged' : 'has all that the server needs',
    canInstall ? checkInstalled : checkUnpacked,
  )

  test('has a service with little access to the system', async () => {
    const unit = join(files, 'deploy', 'debian', 'muster.service')
    const rated = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
    expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(rated)?.[1])).toBeLessThanOrEqual(2)
  })
})
