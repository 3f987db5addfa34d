import { replaceWhenCold } from '../kernel/lib/process/compile-cache.ts'
import { StopSignal } from '../kernel/lib/process/stop-signal.ts'

/** What a shell reports for a process that SIGINT ended. */
const interrupted = 130
const stop = new AbortController()

// The first signal asks the command to end what it has begun; the second one does not ask.
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
let isTold = false
stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `muster audit export | head` closes our output early, which is no failure: what else is printed is not wanted.
  if (error.code === 'EPIPE' || isTold) return
  isTold = true
  const explained = explainSystemError(error, 'standard output')
  process.stderr.write(`${explained ?? `Standard output cannot be written: ${error.message}`}\n`)
  process.exitCode = exitCodes.failure
})
// There is nobody to tell that nobody is told anything; the command is not ended by it.
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
// Unless the output could not be written.
process.exitCode ||= code
// Pending work must not hold the process: a look-up by the system, for one, cannot be canceled.
// An error of the output is emitted after the callback of its write.
const leave = () => setImmediate(() => process.exit())
if (stdout.writableLength === 0) leave()
else stdout.write('', leave)
