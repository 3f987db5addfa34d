#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/** What a shell reports for a process that SIGINT ended. */
const interrupted = 130
const stop = new AbortController()

// The first signal asks the command to end what it has begun; the second one does not ask.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(interrupted)
    stop.abort()
  })
}

// `muster export | head` closes our output early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

// What Node has compiled once it finds beside the packages the next time, and starts in half the time. Not in the folder
// for temporary files, where other users of the machine could leave code for us.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/muster'))
const [{ commands }, { runCli }, { processEnvironment }] = await Promise.all([
  import('./cli/commands.ts'),
  import('./cli/run.ts'),
  import('./config.ts'),
])

process.exitCode = await runCli(commands, process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: processEnvironment(),
  cwd: process.cwd(),
  signal: stop.signal,
})
