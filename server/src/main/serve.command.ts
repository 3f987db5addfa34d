import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { shellWord } from '@muster/contract/text/shell-word'
import { type CommandContext, CommandFailure, defineCommand } from '../kernel/cli/command.ts'
import { storeFailure } from '../kernel/cli/with-store.ts'
import type { Config } from '../kernel/config/config.ts'
import { type SettingName, settingNames } from '../kernel/config/config-settings.ts'
import { StopSignal } from '../kernel/lib/process/stop-signal.ts'
import { terminalClosed } from '../kernel/lib/process/terminal.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** Flags of all commands. */
const common: readonly SettingName[] = ['data', 'databaseUrl']

/** `muster serve` */
export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run the server',
  settings: settingNames.filter((name) => !common.includes(name)),
  options: {},
  details: `Examples:
  muster serve
  muster serve --data /var/lib/muster --port 443 --public-url https://muster.example.com
  MUSTER_DATABASE_URL=postgres://muster@db.example.com/muster muster serve`,
  run: (context) => serve(context, context.config()),
})

/**
 * Runs the server until it is stopped, then drains it.
 *
 * @throws CommandFailure with what to do if the server cannot start
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
  // No draining after Ctrl-C, where a person is waiting. SIGTERM comes from service managers, with load balancers in front.
  const isTerminated =
    context.signal.reason instanceof StopSignal && context.signal.reason.signal === 'SIGTERM'
  if (isTerminated && config.drainSeconds > 0) {
    context.note(`Draining for ${config.drainSeconds} s: /readyz returns 503, requests are still served …`)
    await setTimeout(config.drainSeconds * 1000)
  }
  context.note('Finishing running requests …')
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
      `The self-signed certificate was replaced because the previous one ${replacedBecause}. Clients that trust the previous one need ${data}/tls/cert.pem.`,
    )
  }
  if (setupLink !== undefined) {
    context.note(`
The console has no administrator yet. Open this link to become the owner; it works once, within 24 hours:
  ${setupLink}`)
  }
  if (!lacksKey) return
  const command = isCheckout() ? 'npx muster' : 'muster'
  const dataFlag = data === 'data' ? '' : ` --data ${shellWord(data)}`
  const trust =
    config.plainHttp || config.tlsCert !== undefined ? '' : ` --cacert ${shellWord(`${data}/tls/cert.pem`)}`
  context.note(`
There is no API key yet. Create one in another terminal:
  ${command} keys create${dataFlag} --name first --holder you@example.com --permission full-access
and use it:
  curl${trust} -H "x-api-key: $KEY" ${address}/v1/employees
All data is stored in ${data}${config.databaseUrl ? ' and in PostgreSQL' : ''}. Guide: ${address}/docs/guide/
`)
}

/** Returns false in an installed package, where the command is on the search path. */
const isCheckout = (): boolean => existsSync(join(import.meta.dirname, '..', '..', 'package.json'))

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Explains an error of listening; other errors are those of the store. */
function explained(error: unknown, config: Config): unknown {
  const { code, syscall = '', message } = error as { code?: string; syscall?: string; message: string }
  if (!['listen', 'getaddrinfo'].includes(syscall)) return storeFailure(error, config)
  const advice =
    code === 'EADDRINUSE'
      ? `A port is already in use (${message}). Choose other ports with --port and --metrics-port, or stop the process that uses it.`
      : code === 'EACCES'
        ? `Not permitted: ${message}. Ports below 1024 require privileges.`
        : `Cannot listen on ${config.host} (${message}). Set --host to an address of this machine, or to 0.0.0.0 for all addresses.`
  return new CommandFailure(advice, { cause: error })
}
