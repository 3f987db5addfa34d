import { replaceWhenCold } from '../kernel/lib/process/compile-cache.ts'
import { StopSignal } from '../kernel/lib/process/stop-signal.ts'

/** Exit code of shells for a process terminated by SIGINT. */
const interrupted = 130
const stop = new AbortController()

// The first signal stops the command gracefully, the second one immediately.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(interrupted)
    stop.abort(new StopSignal(signal))
  })
}

const [
  { commandsOf, currentWords },
  { exitCodes, runCli },
  { standardOutput },
  { explainSystemError },
  { limitSystemLookups, processEnvironment },
] = await Promise.all([
  import('./commands.ts'),
  import('../kernel/cli/run.ts'),
  import('../kernel/cli/standard-output.ts'),
  import('../kernel/cli/system-errors.ts'),
  import('../kernel/config/config.ts'),
])

const stdout = standardOutput()
let isReported = false
stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `muster audit export | head` closes the output early, which is not a failure.
  if (error.code === 'EPIPE' || isReported) return
  isReported = true
  const explained = explainSystemError(error, 'standard output')
  process.stderr.write(`${explained ?? `Standard output cannot be written: ${error.message}`}\n`)
  process.exitCode = exitCodes.failure
})
// An error of standard error cannot be reported, and must not end the command.
process.stderr.on('error', () => undefined)

limitSystemLookups()
const words = currentWords(process.argv.slice(2))
const env = processEnvironment()
const commands = await commandsOf(words[0])
await replaceWhenCold(env, () => import('./thread-modules.ts'), stop.signal)
const code = await runCli(commands, words, {
  stdout,
  stderr: process.stderr,
  env,
  cwd: process.cwd(),
  signal: stop.signal,
})
// Keeps the exit code of a failed write to standard output.
process.exitCode ||= code
// Exits even with pending work, such as a DNS lookup, which cannot be canceled. Waits one turn, because an error of the
// output is emitted after the callback of its write.
const leave = () => setImmediate(() => process.exit())
if (stdout.writableLength === 0) leave()
else stdout.write('', leave)
