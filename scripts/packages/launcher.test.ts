import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { musterProgram } from '../../test/support/muster-process.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'muster-launcher-'))
const launcher = join(folder, 'bin', 'launcher.mjs')
const runtime = `node-${process.platform}-${process.arch}`

/**
 * Counts interrupts, and ends at SIGTERM, which it gets from the launcher after all others. With a terminal the launcher is
 * stopped until the first interrupt has arrived: two at once would count as one.
 */
const server = `
let interrupts = 0
process.on('SIGINT', () => {
  interrupts += 1
  process.kill(process.ppid, 'SIGTERM')
  process.kill(process.ppid, 'SIGCONT')
})
process.on('SIGTERM', () => {
  console.log('interrupts: ' + interrupts)
  process.exit(3)
})
setInterval(() => undefined, 1000)
if (process.stdin.isTTY) process.kill(process.ppid, 'SIGSTOP')
console.log('ready')
`

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

beforeAll(() => {
  const manifest = { name: 'muster', type: 'module', optionalDependencies: { [runtime]: '*' } }
  write('package.json', JSON.stringify(manifest))
  write(relative(root, `${musterProgram().at(-1)}`), server)
  write(`node_modules/${runtime}/package.json`, JSON.stringify({ name: runtime, version: '1.0.0' }))
  mkdirSync(join(folder, 'node_modules', runtime, 'bin'))
  symlinkSync(process.execPath, join(folder, 'node_modules', runtime, 'bin', 'node'))
  // As before Node 22.15, where a process cannot replace itself.
  write('older.mjs', 'process.execve = undefined\n')
  mkdirSync(join(folder, 'bin'))
  cpSync(join(import.meta.dirname, 'launcher.mjs'), launcher)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command and does something when the server is ready. @returns its exit code and its output */
async function run(
  command: readonly [string, ...string[]],
  whenReady: (child: ReturnType<typeof spawn>) => void,
) {
  const child = spawn(command[0], command.slice(1), { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data) => {
    const wasReady = output.includes('ready')
    output += data
    if (!wasReady && output.includes('ready')) whenReady(child)
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

const command = [process.execPath, '--import', './older.mjs', launcher] as const

test('Ctrl-C reaches the server once, although the terminal sends it to the launcher, too', async () => {
  const { code, output } = await run(
    // Not the last command of the shell, which would replace itself with it and be stopped. The shell, too, gets the interrupt.
    ['script', '--quiet', '--return', '--command', `trap : INT; ${command.join(' ')}; exit $?`, '/dev/null'],
    (child) => child.stdin?.write('\x03'),
  )
  expect({ code, output }).toEqual({ code: 3, output: expect.stringContaining('interrupts: 1') })
})

test('without a terminal, the launcher passes SIGINT on', async () => {
  const { code, output } = await run([...command], (child) => child.kill('SIGINT'))
  expect({ code, output }).toEqual({ code: 3, output: expect.stringContaining('interrupts: 1') })
})
