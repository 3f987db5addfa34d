import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A server process started for this test run alone. */
export interface PrivateServer {
  /** Stops the server, waits until it is gone and its folder is removed. */
  stop: () => Promise<void>
}

/** How to start a server, and how to know that it answers. */
export interface ServerPlan {
  /** The program and its arguments. It must stay in the foreground. */
  command: readonly [string, ...string[]]
  /** The server's own folder: its working directory, removed after it has stopped. */
  folder: string
  /** The system user to run as; the caller's own when absent. */
  user?: { uid: number; gid: number } | undefined
  /** The signal that it stops on; SIGINT unless given. */
  stopSignal?: 'INT' | 'TERM'
  /** What the server prints once it takes connections; absent: it prints nothing, and whoever starts it has to ask it. */
  readyText?: string
}

const readyTimeoutMs = 90_000
const endedText = 'the supervised server has ended'

/**
 * The shell that stands between us and the server. It stops the server when its standard input closes, and removes
 * the server's folder when the server is gone. The system closes that pipe however the test run ends, SIGKILL
 * included, so no server outlives it. The signal is repeated because a shell starts its background processes deaf
 * to SIGINT: one that comes before the server has set its own handler is lost.
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
 * Starts a server and waits until it says that it is ready.
 *
 * @throws if the server ends, or is not ready within 90 seconds, with the last of what it printed.
 */
export async function startPrivateServer(plan: ServerPlan): Promise<PrivateServer> {
  const args = [plan.folder, plan.stopSignal ?? 'INT', ...plan.command]
  const shell = spawn('/bin/sh', ['-c', supervisor, 'supervisor', ...args], {
    cwd: plan.folder,
    stdio: 'pipe',
    // Of its own process group, so that a Ctrl-C at the terminal reaches it only by way of the pipe.
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
    // The listeners stay for the server's whole life: a full pipe would hold it.
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.once('error', reject)
    const late = () => reject(new Error(`the server was not ready in ${readyTimeoutMs} ms:\n${output}`))
    setTimeout(late, readyTimeoutMs).unref()
  })
}

/**
 * A TCP port of 127.0.0.1 that nobody listens on at this moment. It is one that systems never give by themselves, neither
 * to who listens on any port nor to who connects: so nothing takes it before it is listened on. Browsers refuse none of
 * these.
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
