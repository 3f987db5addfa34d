// `npm run dev`: the server, restarted when a file changes; the console with hot reload; the agent, rebuilt when a file
// changes. One Ctrl-C stops all three. Options are those of `muster serve`.
import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const modules = join(root, 'node_modules')

/** Processes by the name that precedes each line of their output. */
const commands: Readonly<Record<string, readonly string[]>> = {
  server: [
    '--watch',
    'server/src/main/muster.mjs',
    'serve',
    '--drain-seconds',
    '0',
    ...process.argv.slice(2),
  ],
  console: [join(modules, 'vite', 'bin', 'vite.js'), 'console'],
  agent: ['--watch-path=agent/src', '--watch-path=contract/src', 'scripts/build-agent.ts'],
}

const children = Object.entries(commands).map(([name, words]) => start(name, words))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of children) child.kill(signal)
  })

function start(name: string, words: readonly string[]): ChildProcess {
  // The server refuses settings that it does not know.
  const env = name === 'agent' ? { ...process.env, MUSTER_AGENT_READABLE: '1' } : process.env
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => {
      const lines = data.toString().trimEnd().split('\n')
      process.stdout.write(lines.map((line) => `${name.padEnd(8)}${line}\n`).join(''))
    })
  child.on('exit', (code) => {
    if (code) process.exitCode = code
  })
  return child
}
