#!/usr/bin/env node
import { commands } from './cli/commands.ts'
import { runCli } from './cli/run.ts'
import { processEnvironment } from './config.ts'

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

process.exitCode = await runCli(commands, process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: processEnvironment(),
  cwd: process.cwd(),
  signal: stop.signal,
})
