import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Server process of this test run. */
export interface PrivateServer {
  /** Stops the server and waits until it has ended and its folder is removed. */
  stop: () => Promise<void>
}

/** Command of a server, and the signs of its start and stop. */
export interface ServerPlan {
  /** Program and arguments. It must stay in the foreground. */
  command: readonly [string, ...string[]]
  /** Working directory of the server, removed after it has stopped. */
  folder: string
  /** System user to run as; by default the caller's. */
  user?: { uid: number; gid: number } | undefined
  /** Signal that stops it; SIGINT by default. */
  stopSignal?: 'INT' | 'TERM'
  /** Output that signals readiness; without it, the caller has to poll the server. */
  readyText?: string
}

const readyTimeoutMs = 90_000
const endedText = 'the supervised server has ended'

/**
 * Shell between the test and the server. Stops the server when its standard input closes, then removes the server's
 * folder. The system closes the pipe however the test run ends, even on SIGKILL, so no server outlives it. The signal is
 * repeated because a shell starts background processes with SIGINT ignored, so an early one is lost.
 */
const supervisor = `
folder=$1; signal=$2; shift 2
exec 3<&0
"$@" </dev/null &
server=$!
( cat <&3 >/dev/null; while kill "-$signal" "$server" 2>/dev/null; do sleep 0.2; done ) &
trap '' PIPE
wait "$server"
echo "${endedText}"
wait
cd / && rm -rf "$folder"
`

/**
 * Starts a server and waits until it is ready.
 *
 * @throws Error with the end of its output if the server ends, or is not ready within 90 seconds
 */
export async function startPrivateServer(plan: ServerPlan): Promise<PrivateServer> {
  const args = [plan.folder, plan.stopSignal ?? 'INT', ...plan.command]
  const shell = spawn('/bin/sh', ['-c', supervisor, 'supervisor', ...args], {
    cwd: plan.folder,
    stdio: 'pipe',
    // Own process group, so a Ctrl-C in the terminal reaches it only through the pipe.
    detached: true,
    ...plan.user,
  })
  const exited = once(shell, 'exit')
  const stop = async () => {
    shell.stdin.end()
    await exited
  }
  try {
    await readiness(shell, plan.readyText)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

function readiness(server: ChildProcess, readyText = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    if (readyText === '') resolve()
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000)
      if (output.includes(readyText)) resolve()
      if (output.includes(endedText)) reject(new Error(`the server did not start:\n${output}`))
    }
    // Keep the listeners for the server's whole life: a full pipe would block it.
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.once('error', reject)
    const late = () => reject(new Error(`the server was not ready in ${readyTimeoutMs} ms:\n${output}`))
    setTimeout(late, readyTimeoutMs).unref()
  })
}

/**
 * Returns a TCP port of 127.0.0.1 that is free now. It is outside the ephemeral range, so the system does not assign it
 * to another process before it is used, and browsers do not block it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 30_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
