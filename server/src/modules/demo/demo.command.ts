import { collections } from '@muster/contract/api/api'
import { employees as employeeCollection } from '@muster/contract/records/employee'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { type CommandContext, CommandFailure, defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { readMoment } from '../../kernel/cli/moments.ts'
import { startProgress } from '../../kernel/cli/progress.ts'
import { curlLine, organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import type { Config } from '../../kernel/config/config.ts'
import { settingNames } from '../../kernel/config/config-settings.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { isUuid } from '../../kernel/lib/secrets/id.ts'
import {
  defaultOrganization,
  findOrganization,
  type Organization,
} from '../../kernel/organizations/organizations.ts'
import { countAllRecords } from '../../kernel/store/count.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { serve } from '../../main/serve.command.ts'
import { type IssuedKey, issueKey } from '../api-keys/issue-key.ts'
import { requireServable } from '../doctor/require-servable.ts'
import { addOrganizationNamed, checkOrganizationName } from '../organizations/add-organization.ts'
import { type DemoPlan, type DemoTarget, runDemo } from './demo-run.ts'
import { freshDemoDirectory } from './fresh-directory.ts'
import { companyDomain } from './workforce/company.ts'

/**
 * Timestamps must be between 1970 and 2106. People are hired years before `--now`, and some records expire
 * after it.
 */
const earliestSeconds = Date.UTC(1990, 0) / 1000
const latestSeconds = Date.UTC(2100, 0) / 1000 - 1

/** `muster demo` */
export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'Fill an organization with simulated employees and data',
  json: true,
  settings: settingNames.filter((name) => !['data', 'databaseUrl'].includes(name)),
  options: {
    employees: { type: 'number', fallback: '500', minimum: 1, maximum: 100_000, help: 'number of employees' },
    seed: {
      type: 'number',
      fallback: '1',
      maximum: 4_294_967_295,
      help: 'seed of the random data',
    },
    days: {
      type: 'number',
      fallback: '100',
      minimum: 10,
      maximum: 365,
      help: 'number of simulated days',
    },
    now: { type: 'text', help: 'end of the simulation; default: now', placeholder: 'DATE' },
    fresh: { type: 'flag', help: 'use data-demo next to the data folder, emptied first' },
    serve: { type: 'flag', help: 'start the server afterwards' },
    org: { ...orgOption, help: 'name or ID of the organization; a new name creates one' },
  },
  details: `Imports employees and simulates their browsers, which enroll and report day by day like real ones. The same --seed,
  --employees, --days and --now create the same records in an empty store. Creates a full-access and a read-only API key and
  prints them.

Examples:
  muster demo --fresh --serve
  muster demo --org playground --employees 2000 --seed 7`,
  async run(context, { options }) {
    if (options.serve && context.json) throw new UsageError('Use either --json or --serve, not both.')
    const nowSeconds =
      options.now === undefined ? Math.floor(systemClock.nowMs() / 1000) : readMoment(options.now)
    if (nowSeconds === undefined || nowSeconds < earliestSeconds || nowSeconds > latestSeconds) {
      throw new UsageError(
        `--now is ${JSON.stringify(options.now)}, but must be a date from 1990 to 2099, such as 2026-01-31 or 2026-01-31T18:00:00Z.`,
      )
    }
    if (!isUuid(options.org)) checkOrganizationName('--org', options.org)
    const config = configOf(context, options)
    const { seed, employees, days } = options
    const fillOrganization = async (db: Db) => {
      const organization = await findOrAddOrganization(context, db, options.org)
      await checkEmpty(db, organization)
      const keys = [
        await demoKey(db, organization, 'FULL_ACCESS'),
        await demoKey(db, organization, 'READ_ONLY'),
      ] as const
      const target = { db, config, org: organization.no, apiKey: keys[0].key, signal: context.signal }
      return { records: await simulate(context, target, { seed, employees, days, nowSeconds }), keys }
    }
    // Thousands of small transactions: skip syncing, because a demo lost in a crash can be repeated.
    const result = await withStore(config, fillOrganization, { durable: false })
    printResult(context, config, result)
    if (options.serve) await serve(context, config)
  },
})

function configOf(
  context: CommandContext,
  { fresh, serve: isServed }: { readonly fresh: boolean; readonly serve: boolean },
): Config {
  const config = context.config()
  // Check before an earlier demo is deleted and a new one is created, which takes a while.
  if (isServed) requireServable(config)
  if (!fresh) return config
  if (config.databaseUrl !== undefined) {
    throw new CommandFailure(
      '--fresh creates a new data folder, but a PostgreSQL database is configured. Leave out --fresh or unset MUSTER_DATABASE_URL.',
    )
  }
  return { ...config, data: freshDemoDirectory(config.data) }
}

/** Returns the organization with a name or ID; adds one for a new name. */
async function findOrAddOrganization(
  context: CommandContext,
  db: Db,
  nameOrId: string,
): Promise<Organization> {
  if (nameOrId === defaultOrganization || isUuid(nameOrId) || (await findOrganization(db, nameOrId)))
    return organizationNamed(db, nameOrId)
  const added = await addOrganizationNamed(db, nameOrId)
  context.note(`Added the organization ${nameOrId}.`)
  return added
}

async function checkEmpty(db: Db, { no, name }: Organization): Promise<void> {
  if ((await countAllRecords(db, employeeCollection, no)) === 0) return
  throw new CommandFailure(
    `The organization ${name} already has employees. Use --fresh, or create another organization with --org playground.`,
  )
}

async function simulate(
  context: CommandContext,
  target: Omit<DemoTarget, 'onDay'>,
  plan: DemoPlan,
): Promise<Record<string, number>> {
  const progress = startProgress({
    stream: context.io.stderr,
    clock: systemClock,
    label: 'demo',
    unit: 'days',
    total: plan.days,
  })
  await runDemo({ ...target, onDay: () => progress.advance(1) }, plan)
  progress.finish()
  const counts: Record<string, number> = {}
  for (const [name, collection] of Object.entries(collections))
    counts[name] = await countAllRecords(target.db, collection, target.org)
  return counts
}

const demoKey = (
  db: Db,
  organization: Organization,
  permission: IssuedKey['permission'],
): Promise<IssuedKey> =>
  db.inTransaction((tx) =>
    issueKey(
      tx,
      organization.no,
      {
        name: permission === 'FULL_ACCESS' ? 'demo, full access' : 'demo, read only',
        holder: `admin@${companyDomain}`,
        permission,
        expiryTimestamp: null,
      },
      { nowMs: systemClock.nowMs(), actor: cliAuditContext().actor },
    ),
  )

function printResult(
  context: CommandContext,
  config: Config,
  { records, keys }: { records: Record<string, number>; keys: readonly [IssuedKey, IssuedKey] },
): void {
  if (context.json) {
    context.printJson({ data: config.data, records, keys })
    return
  }
  const { cwd } = context.io
  const line = (key: IssuedKey, path: string) => context.print(`  ${curlLine(config, cwd, key.key, path)}`)
  const counts = Object.keys(collections).map((name) => `${records[name]} ${name}`)
  context.print(`Created ${counts.join(', ')}.`)
  context.print('\nWith a full-access key:')
  line(keys[0], '/v1/employees?limit=5')
  context.print('\nWith a read-only key:')
  line(keys[1], '/v1/findings?type=WEAK_PASSWORD&state=OPEN&limit=5')
  line(keys[1], '/v1/browserExtensions?permissions=cookies&permissions=history&limit=5')
  context.print('')
}
