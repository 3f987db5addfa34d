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

const [{ commandsOf }, { runCli }, { processEnvironment }] = await Promise.all([
  import('./cli/commands.ts'),
  import('./cli/run.ts'),
  import('./config.ts'),
])

const words = process.argv.slice(2)
process.exitCode = await runCli(await commandsOf(words[0]), words, {
  stdout: process.stdout,
  stderr: process.stderr,
  env: processEnvironment(),
  cwd: process.cwd(),
  signal: stop.signal,
})
