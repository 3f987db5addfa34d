import { collections } from '@muster/contract/api'
import { employees as employeeCollection } from '@muster/contract/employee'
import { toldByCli } from '../../kernel/cli/cli-actor.ts'
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
import { type DemoPlace, type DemoPlan, runDemo } from './demo-run.ts'
import { freshDemoDirectory } from './fresh-directory.ts'
import { companyDomain } from './workforce/company.ts'

/** Moments are counted from 1970 to 2106, and people have come years before, while what they make ends after. */
const earliestSeconds = Date.UTC(1990, 0) / 1000
const latestSeconds = Date.UTC(2100, 0) / 1000 - 1

/** `muster demo` */
export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'Fill an organization with a made-up workforce',
  json: true,
  settings: settingNames.filter((name) => !['data', 'databaseUrl'].includes(name)),
  options: {
    employees: { type: 'number', fallback: '500', minimum: 1, maximum: 100_000, help: 'how many people' },
    seed: {
      type: 'number',
      fallback: '1',
      maximum: 4_294_967_295,
      help: 'another number makes other people',
    },
    days: {
      type: 'number',
      fallback: '100',
      minimum: 10,
      maximum: 365,
      help: 'over how many days it came about',
    },
    now: { type: 'text', help: 'the moment that the data leads up to; now if left out', placeholder: 'DATE' },
    fresh: { type: 'flag', help: 'use data-demo beside the data folder, emptied first' },
    serve: { type: 'flag', help: 'serve it afterwards' },
    org: { ...orgOption, help: 'name or id of the organization; a new name adds one' },
  },
  details: `People are imported; their simulated browsers enroll and report day by day, as real ones do, and all else
follows from that. The same --seed, --employees, --days and --now make the same records in an empty store. A full-access and a
read-only key are made and shown.

Examples:
  muster demo --fresh --serve
  muster demo --org playground --employees 2000 --seed 7`,
  async run(context, { options }) {
    if (options.serve && context.json) throw new UsageError('Give --json or --serve, not both.')
    const nowSeconds =
      options.now === undefined ? Math.floor(systemClock.nowMs() / 1000) : readMoment(options.now)
    if (nowSeconds === undefined || nowSeconds < earliestSeconds || nowSeconds > latestSeconds) {
      throw new UsageError(
        `--now is ${JSON.stringify(options.now)}, but must be a date from 1990 to 2099 such as 2026-01-31 or 2026-01-31T18:00:00Z.`,
      )
    }
    if (!isUuid(options.org)) checkOrganizationName('--org', options.org)
    const config = configOf(context, options)
    const { seed, employees, days } = options
    const fill = async (db: Db) => {
      const organization = await organizationToFill(context, db, options.org)
      await checkEmpty(db, organization)
      const keys = [
        await demoKey(db, organization, 'FULL_ACCESS'),
        await demoKey(db, organization, 'READ_ONLY'),
      ] as const
      const place = { db, config, org: organization.no, apiKey: keys[0].key, signal: context.signal }
      return { records: await play(context, place, { seed, employees, days, nowSeconds }), keys }
    }
    // Thousands of small transactions; whatever a crash would take can be made up again.
    const made = await withStore(config, fill, { durable: false })
    show(context, config, made)
    if (options.serve) await serve(context, config)
  },
})

function configOf(
  context: CommandContext,
  { fresh, serve: isServed }: { readonly fresh: boolean; readonly serve: boolean },
): Config {
  const config = context.config()
  // Before an earlier demo is deleted, and another one made, which takes a while.
  if (isServed) requireServable(config)
  if (!fresh) return config
  if (config.databaseUrl !== undefined) {
    throw new CommandFailure(
      '--fresh makes a directory of its own, but a PostgreSQL is set: leave out --fresh, or unset MUSTER_DATABASE_URL.',
    )
  }
  return { ...config, data: freshDemoDirectory(config.data) }
}

/** Returns the organization of that name or ID, or adds it. */
async function organizationToFill(context: CommandContext, db: Db, nameOrId: string): Promise<Organization> {
  if (nameOrId === defaultOrganization || isUuid(nameOrId) || (await findOrganization(db, nameOrId)))
    return organizationNamed(db, nameOrId)
  const added = await addOrganizationNamed(db, nameOrId)
  context.note(`The organization ${nameOrId} was added.`)
  return added
}

async function checkEmpty(db: Db, { no, name }: Organization): Promise<void> {
  if ((await countAllRecords(db, employeeCollection, no)) === 0) return
  throw new CommandFailure(
    `The organization ${name} has employees already, and made-up people do not mix with real ones: use --fresh, or name a new organization with --org playground.`,
  )
}

async function play(
  context: CommandContext,
  place: Omit<DemoPlace, 'onDay'>,
  plan: DemoPlan,
): Promise<Record<string, number>> {
  const progress = startProgress({
    stream: context.io.stderr,
    clock: systemClock,
    label: 'demo',
    unit: 'days',
    total: plan.days,
  })
  await runDemo({ ...place, onDay: () => progress.advance(1) }, plan)
  progress.finish()
  const counts: Record<string, number> = {}
  for (const [name, collection] of Object.entries(collections))
    counts[name] = await countAllRecords(place.db, collection, place.org)
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
      { nowMs: systemClock.nowMs(), actor: toldByCli().actor },
    ),
  )

function show(
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
  context.print(`Made up ${counts.join(', ')}.`)
  context.print('\nWith a full-access key:')
  line(keys[0], '/v1/employees?limit=5')
  context.print('\nWith a read-only key:')
  line(keys[1], '/v1/findings?type=WEAK_PASSWORD&state=OPEN&limit=5')
  line(keys[1], '/v1/browserExtensions?permissions=cookies&permissions=history&limit=5')
  context.print('')
}
