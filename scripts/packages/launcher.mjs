#!/usr/bin/env node
// Command `muster` of the npm package. Runs the server's code with the locked Node, which comes as a package, whatever Node the
// machine has. Plain JavaScript for Node 18 and newer.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const main = join(root, 'server', 'src', 'main', 'muster.mjs')
const require = createRequire(import.meta.url)
const { optionalDependencies, name } = require('../package.json')
const windows = process.platform === 'win32'

/** Returns the locked Node of this system; undefined if its package is not installed. */
function lockedNode() {
  for (const runtime of Object.keys(optionalDependencies)) {
    if (!runtime.endsWith(`${windows ? 'win' : process.platform}-${process.arch}`)) continue
    try {
      const folder = dirname(require.resolve(`${runtime}/package.json`))
      return join(folder, 'bin', windows ? 'node.exe' : 'node')
    } catch {
      // Not installed.
    }
  }
  return undefined
}

const node = lockedNode()
if (node === undefined) {
  console.error(
    `${name} needs its own Node, an optional package that npm has not installed. Install again without --omit=optional, on Linux with glibc (x64, arm64), macOS (arm64, x64) or Windows (x64).`,
  )
  process.exit(1)
}
const args = [main, ...process.argv.slice(2)]
if (typeof process.execve === 'function' && !windows) process.execve(node, [node, ...args], process.env)
const child = spawn(node, args, { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// A terminal sends Ctrl-C to both processes. Passed on, it would be the second one, which ends the server at once.
const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
