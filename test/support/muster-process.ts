import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from './until.ts'
import { warningOptions } from './warnings.ts'

const main = fileURLToPath(new URL('../../server/src/main/muster.mjs', import.meta.url))

/** Command that starts `muster` as a process. Its warnings fail the tests. */
export const musterProgram = (): [string, ...string[]] => [
  process.execPath,
  ...warningOptions(process.pid),
  main,
]

/** Settings by environment variable. */
export type Settings = Readonly<Record<string, string>>

/** Running `muster serve`. */
export interface MusterProcess {
  /** Base URL: `http://127.0.0.1:43567`. */
  readonly address: string
  readonly pid: number
  /** Output so far: the log on standard output, messages to the operator on standard error. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Closes the reading ends of its output, as when `tee` ends in `muster serve 2>&1 | tee log`. */
  hangUp(): void
  /** Sends it a signal. */
  signal(name: 'SIGHUP' | 'SIGINT' | 'SIGTERM'): void
  /**
   * Sends SIGTERM and waits for its end. @returns its exit code
   */
  stop(): Promise<number>
  /**
   * Waits for its end. @returns its exit code
   */
  ended(): Promise<number>
  /** Sends SIGKILL and waits for its end. */
  kill(): Promise<void>
}

/**
 * Shell between the test and the server. Reports the server's process ID, and kills it when the test's side of the pipe
 * closes, which the system does however the test run ends.
 */
const supervisor = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( cat <&3 >/dev/null; kill -KILL "$server" 2>/dev/null ) >/dev/null 2>&1 &
exec 3<&-
echo "supervised process $server" >&2
wait "$server"
`

/** Defaults: plain HTTP on a free port of this machine, no metrics port, no delay on SIGTERM. */
const defaults: Settings = {
  MUSTER_PLAIN_HTTP: 'true',
  MUSTER_HOST: '127.0.0.1',
  MUSTER_PORT: '0',
  MUSTER_METRICS_PORT: '0',
  MUSTER_DRAIN_SECONDS: '0',
}

const environment = (settings: Settings): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  NO_COLOR: '1',
  ...defaults,
  ...settings,
})

/** Result of a process. */
interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command until it ends or times out. */
export const runMuster = (args: readonly string[], settings: Settings, withinMs = 120_000): Promise<Ended> =>
  run([...musterProgram(), ...args], settings, withinMs)

/** Runs a command within a shell script, where it is `"$@"`. */
export const runInShell = (script: string, args: readonly string[], settings: Settings): Promise<Ended> =>
  run(['/bin/sh', '-c', script, 'sh', ...musterProgram(), ...args], settings, 120_000)

function run(
  [file, ...args]: readonly [string, ...string[]],
  settings: Settings,
  withinMs: number,
): Promise<Ended> {
  const options = { env: environment(settings), timeout: withinMs, killSignal: 'SIGKILL' as const }
  return promisify(execFile)(file, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code?: number | null; stdout: string; stderr: string }) => ({
      ...error,
      code: error.code ?? -1,
    }),
  )
}

/** Runs a command and kills it after some time unless it has ended. */
export async function killMuster(
  args: readonly string[],
  settings: Settings,
  afterMs: number,
): Promise<void> {
  const [program, ...options] = musterProgram()
  const child = spawn(program, [...options, ...args], { env: environment(settings), stdio: 'ignore' })
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await once(child, 'exit')
  clearTimeout(timer)
}

/** Creates an API key on the command line. */
export async function createKey(
  settings: Settings,
  holder: string,
  more: readonly string[] = ['--permission', 'full-access'],
): Promise<{ id: string; key: string }> {
  const args = ['keys', 'create', '--name', 'test', '--holder', holder, ...more, '--json']
  const { code, stdout, stderr } = await runMuster(args, settings)
  if (code !== 0) throw new Error(`no key was created: ${stderr}`)
  return JSON.parse(stdout) as { id: string; key: string }
}

/**
 * Starts a server and waits until it serves.
 *
 * @param output file descriptor for its standard output, if it is not to be read
 * @param by command that runs it
 * @throws Error with its output if it ends instead
 */
export async function startMuster(
  settings: Settings,
  output?: number,
  by: readonly string[] = [],
): Promise<MusterProcess> {
  const shell: ChildProcess = spawn(
    '/bin/sh',
    ['-c', supervisor, 'supervisor', ...by, ...musterProgram(), 'serve'],
    {
      env: environment(settings),
      stdio: ['pipe', output ?? 'pipe', 'pipe'],
      detached: true,
    },
  )
  const exited = once(shell, 'exit') as Promise<[number | null, string | null]>
  let stdout = ''
  let stderr = ''
  shell.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  shell.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const started = await until('server', () => {
    if (shell.exitCode !== null) return 'ended'
    const address = /Muster serves at (\S+)\s/.exec(stderr)?.[1]
    const pid = /supervised process (\d+)\n/.exec(stderr)?.[1]
    return address !== undefined && pid !== undefined && { address, pid: Number(pid) }
  })
  if (started === 'ended') throw new Error(`the server ended with ${shell.exitCode}:\n${stderr}\n${stdout}`)
  const { address, pid } = started
  const signal = (name: NodeJS.Signals): void => {
    if (shell.exitCode === null) process.kill(pid, name)
  }
  const ended = async (): Promise<number> => {
    const [code] = await exited
    shell.stdin?.end()
    return code ?? -1
  }
  return {
    address,
    pid,
    stdout: () => stdout,
    stderr: () => stderr,
    hangUp: () => {
      shell.stdout?.destroy()
      shell.stderr?.destroy()
    },
    signal,
    ended,
    stop: () => {
      signal('SIGTERM')
      return ended()
    },
    kill: async () => {
      signal('SIGKILL')
      await ended()
    },
  }
}
