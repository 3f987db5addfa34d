import { resolve } from 'node:path'
import { ApiError } from '@muster/contract/api/errors'
import { pino } from 'pino'
import { type CommandContext, CommandFailure, defineCommand } from '../kernel/cli/command.ts'
import { readTextFile } from '../kernel/cli/read-json.ts'
import { organizationNamed, orgOption, withStore } from '../kernel/cli/with-store.ts'
import type { Config } from '../kernel/config/config.ts'
import { authenticator } from '../kernel/http/authenticate.ts'
import type { Principal } from '../kernel/http/principal.ts'
import { memoryRateLimiter, retryAfterSeconds } from '../kernel/http/rate-limit/rate-limit.ts'
import { failedAttemptLimiter } from '../kernel/http/rate-limit/rate-limit-address.ts'
import { systemClock as clock } from '../kernel/lib/clock.ts'
import { newId } from '../kernel/lib/secrets/id.ts'
import { deriveKeys } from '../kernel/lib/secrets/secret.ts'
import { openMasterKey } from '../kernel/store/lifecycle/master-key.ts'
import type { Db } from '../kernel/store/sql.ts'
import { keyDirectory } from '../modules/api-keys/key-directory.ts'
import type { ToolWorld } from '../modules/mcp/tool.ts'
import { cachedFigures } from '../modules/overview/cached-figures.service.ts'
import { computeOverview } from '../modules/overview/compute-overview.ts'
import { apiServices } from './api-services.ts'

/** Address of the assistant, whose process is on this machine. */
const address = '127.0.0.1'

/** `muster mcp` */
export const mcpCommand = defineCommand({
  name: 'mcp',
  summary:
    'Let an assistant read the inventory, over the Model Context Protocol on standard input and output',
  needsStore: true,
  settings: ['publicUrl', 'rateLimitSustained', 'rateLimitBurst'],
  options: {
    org: orgOption,
    keyFile: {
      type: 'text',
      help: 'file with an API key, whose organization and permission then apply',
      placeholder: 'FILE',
    },
    allowWrites: { type: 'flag', help: 'offer tools that change data; needs a key with full access' },
  },
  details: `For an assistant on this machine. Assistants elsewhere use the path /mcp of the server, with an API key.
Without --allow-writes an assistant can only read.

Examples:
  muster mcp
  muster mcp --key-file assistant.key --allow-writes`,
  async run(context, { options }) {
    const config = context.config()
    const { org, keyFile, allowWrites } = options
    // A path, so that `-` is not standard input, which belongs to the protocol.
    const keyPath = keyFile && resolve(context.io.cwd, keyFile)
    const key = keyPath === undefined ? undefined : (await readTextFile(context, keyPath)).trim()
    await withStore(config, async (db) => {
      const log = pino({ level: 'silent' })
      const directory = keyDirectory(db, log)
      const authenticate = authenticator({
        clock,
        failures: failedAttemptLimiter({ clock }),
        findPrincipal: directory.findPrincipal,
        noteUse: directory.noteUse,
      })
      const principalNow = async () =>
        key === undefined ? operatorOf(db, org) : await holderOf(() => authenticate(key, address))
      const principal = await principalNow()
      if (allowWrites && !principal.mayWrite)
        throw new CommandFailure(
          '--allow-writes needs --key-file with an API key that has full access. Create one with muster keys create --permission full-access.',
        )
      const world = await toolWorld(context, config, db)
      const rateLimiter = memoryRateLimiter({
        sustained: config.rateLimitSustained,
        burst: config.rateLimitBurst,
        clock,
      })
      // Loaded when it is needed: the help of all commands loads this file, too.
      const { serveMcpOnStdio } = await import('../modules/mcp/mcp-stdio.ts')
      await serveMcpOnStdio(
        {
          ...world,
          allowsWrites: allowWrites,
          admit: async () => {
            await principalNow().catch(() => {
              throw new ApiError(
                'unauthenticated',
                'The API key has expired or was revoked. Create another one.',
              )
            })
            const { allowed, retryAfterMs } = rateLimiter.take(principal.user)
            if (!allowed)
              throw new ApiError('rate_limited', `Too many calls. Wait ${retryAfterSeconds(retryAfterMs)} s.`)
          },
        },
        { principal, origin: { address, userAgent: 'muster mcp' } },
        { input: process.stdin, output: process.stdout, signal: context.signal },
      )
      await directory.flush()
    })
  },
})

async function toolWorld(context: CommandContext, config: Config, db: Db): Promise<ToolWorld> {
  const master = await openMasterKey(db, { dataDir: config.data, secretKey: config.secretKey })
  const { publicUrl, enrollmentLinkDays } = config
  const services = apiServices({
    db,
    keys: deriveKeys(master),
    clock,
    makeId: () => newId(clock.nowMs()),
    publicUrl,
    enrollmentLinkDays,
  })
  const log = pino({ level: 'silent' })
  return {
    db,
    clock,
    services: services('records'),
    overviewOf: cachedFigures({ db, clock, log }, 'the overview of assistants', computeOverview),
    allowsWrites: false,
    writesHint: 'Start muster mcp with --key-file and --allow-writes.',
    onFailure: (error) => context.note(`A tool failed: ${error instanceof Error ? error.message : error}`),
  }
}

/** Returns the operator of this machine as a caller, who may read everything in the store. */
async function operatorOf(db: Db, org: string): Promise<Principal> {
  const { no } = await organizationNamed(db, org)
  const user = `${no}:muster mcp`
  return {
    org: no,
    holder: '',
    keyId: '',
    keyName: '',
    role: null,
    mayWrite: false,
    expiryTimestamp: null,
    user,
  }
}

/** Returns the holder of a key. @throws CommandFailure if the key is not valid */
async function holderOf(authenticate: () => Principal | Promise<Principal>): Promise<Principal> {
  try {
    return await authenticate()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    throw new CommandFailure(
      'The file of --key-file must contain one valid API key and nothing else. Create a key with muster keys create.',
    )
  }
}
