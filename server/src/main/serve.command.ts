import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type CommandContext, CommandFailure, defineCommand } from '../kernel/cli/command.ts'
import { shellWord } from '../kernel/cli/shell-word.ts'
import { storeFailure } from '../kernel/cli/with-store.ts'
import type { Config } from '../kernel/config/config.ts'
import { type SettingName, settingNames } from '../kernel/config/config-settings.ts'
import { StopSignal } from '../kernel/lib/process/stop-signal.ts'
import { terminalClosed } from '../kernel/lib/process/terminal.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** Taken by every command as flags. */
const common: readonly SettingName[] = ['data', 'databaseUrl']

/** `muster serve` */
export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Serve the API over HTTPS until it is told to stop',
  settings: settingNames.filter((name) => !common.includes(name)),
  options: {},
  details: `Examples:
  muster serve
  muster serve --data /var/lib/muster --port 443 --public-url https://muster.example.com
  MUSTER_DATABASE_URL=postgres://muster@db.example.com/muster muster serve`,
  run: (context) => serve(context, context.config()),
})

/**
 * Serves until the signal, then drains and finishes what runs.
 *
 * @throws CommandFailure that says what to do when the server cannot start
 */
export async function serve(context: CommandContext, config: Config): Promise<void> {
  const closed = terminalClosed()
  const writerWait = {
    signal: context.signal,
    onWait: (reason: string) => context.note(`Waiting for the database in ${config.data}: ${reason} …`),
  }
  const server = await startServer(config, writerWait).catch((error: unknown) => {
    throw explained(error, config)
  })
  greet(context, config, server)
  await Promise.race([stopped(context.signal), closed])
  server.drain()
  // Ctrl-C is for somebody who waits at a terminal; SIGTERM comes from service managers, behind load balancers.
  const isTerminated =
    context.signal.reason instanceof StopSignal && context.signal.reason.signal === 'SIGTERM'
  if (isTerminated && config.drainSeconds > 0) {
    context.note(`Draining for ${config.drainSeconds} s: /readyz answers 503, requests are still served …`)
    await setTimeout(config.drainSeconds * 1000)
  }
  context.note('Finishing the requests that run …')
  await server.close()
}

function greet(
  context: CommandContext,
  config: Config,
  { address, lacksKey, replacedBecause, setupLink }: RunningServer,
): void {
  const data = relative(context.io.cwd, config.data) || '.'
  context.note(`Muster serves at ${address}  (API: ${address}/v1, reference: ${address}/docs)`)
  if (replacedBecause !== undefined) {
    context.note(
      `The self-signed certificate was made anew, as the one of before ${replacedBecause}. Clients that were told to trust that one must be given ${data}/tls/cert.pem.`,
    )
  }
  if (setupLink !== undefined) {
    context.note(`
The console has no administrator yet. Become its owner here; the link works once, within 24 hours:
  ${setupLink}`)
  }
  if (!lacksKey) return
  const dataFlag = data === 'data' ? '' : ` --data ${shellWord(data)}`
  const trust =
    config.plainHttp || config.tlsCert !== undefined ? '' : ` --cacert ${shellWord(`${data}/tls/cert.pem`)}`
  context.note(`
There is no API key yet. Make one, in another terminal:
  npx muster keys create${dataFlag} --name first --holder you@example.com --permission full-access
and use it:
  curl${trust} -H "x-api-key: $KEY" ${address}/v1/employees
Everything is kept in ${data}${config.databaseUrl ? ' and in PostgreSQL' : ''}. The documentation is at ${address}/docs
`)
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** What a port that cannot be listened on would need; any other error is one of the store, or of the system. */
function explained(error: unknown, config: Config): unknown {
  const { code, syscall = '', message } = error as { code?: string; syscall?: string; message: string }
  if (!['listen', 'getaddrinfo'].includes(syscall)) return storeFailure(error, config)
  const advice =
    code === 'EADDRINUSE'
      ? `A port is in use already (${message}). Choose others with --port and --metrics-port, or stop what uses it.`
      : code === 'EACCES'
        ? `Not allowed: ${message}. Ports below 1024 need a privilege.`
        : `${config.host} cannot be listened on (${message}). Set --host to an address of this machine, or to 0.0.0.0 for all of them.`
  return new CommandFailure(advice, { cause: error })
}
