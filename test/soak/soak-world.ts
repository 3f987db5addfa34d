import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OperationId } from '@muster/contract/api/api'
import { eventCategories } from '@muster/contract/events/event-envelope'
import { accounts } from '@muster/contract/records/account'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { employees } from '@muster/contract/records/employee'
import type { Store } from '../../server/src/kernel/events/unit-of-work.ts'
import { systemClock, unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { hashToken, newEnrollmentToken } from '../../server/src/kernel/lib/secrets/agent-token.ts'
import { newApiKey } from '../../server/src/kernel/lib/secrets/api-key.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { deriveKeys } from '../../server/src/kernel/lib/secrets/secret.ts'
import {
  ensureDefaultOrganization,
  type Organization,
} from '../../server/src/kernel/organizations/organizations.ts'
import { openMasterKey } from '../../server/src/kernel/store/lifecycle/master-key.ts'
import { openStore } from '../../server/src/kernel/store/lifecycle/open.ts'
import { createSetupLink } from '../../server/src/modules/administrators/console-links.ts'
import { insertEnrollmentToken } from '../../server/src/modules/agents/enrollment-tokens.service.ts'
import { insertApiKey } from '../../server/src/modules/api-keys/api-keys.service.ts'
import { addWebhook } from '../../server/src/modules/webhooks/manage-webhooks.ts'
import { type ExampleRequest, exampleRequests } from '../support/example-requests.ts'
import { aBrowserExtension, anAccount, anEmployee, put } from '../support/fixtures.ts'
import type { Harness } from '../support/harness.ts'

/** Store of a soak, and the secrets for its requests. */
export interface SoakWorld {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly apiKey: string
  /** Token of the setup link for the first administrator. */
  readonly setupToken: string
  /** Token of managed enrollment. */
  readonly enrollmentToken: string
  /** Successful request for each operation of `/v1`. */
  readonly examples: Readonly<Record<OperationId, ExampleRequest>>
}

const people = 3000
const deadEndpoints = 10

/** Fills a store with a few thousand people with accounts and extensions, and webhooks with unresolvable names. */
export async function soakWorld(databaseUrl?: string): Promise<SoakWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-soak-'))
  const clock = systemClock
  const nowSeconds = unixSeconds(clock)
  const db = await openStore({ dataDir, databaseUrl }, nowSeconds)
  try {
    const { webhookSecrets: key } = deriveKeys(await openMasterKey(db, { dataDir }))
    const organization = await db.inTransaction((tx) =>
      ensureDefaultOrganization(tx, newId(clock.nowMs()), nowSeconds),
    )
    const org = organization.no
    const h = { db } as Harness
    const examples = await exampleRequests(h, org)
    await addPeople(h, org)
    const targetPolicy = { allowPrivate: false }
    for (let at = 0; at < deadEndpoints; at += 1) {
      const plan = { url: `https://dead-${at}.example.invalid/hook`, categories: eventCategories }
      await addWebhook({ db, clock, key, targetPolicy }, org, plan, { source: 'CLI', user: 'soak' })
    }
    return {
      dataDir,
      databaseUrl,
      examples,
      apiKey: await makeKey(db, org),
      setupToken: await makeSetupToken(db, organization),
      enrollmentToken: await makeEnrollmentToken(db, org),
    }
  } finally {
    await db.close()
  }
}

async function addPeople(h: Harness, org: number): Promise<void> {
  const all = Array.from({ length: people }, (_, at) =>
    anEmployee({ firstName: `Zoë ${at}`, groups: ['Engineers', `Équipe ${at % 40}`] }),
  )
  await put(h, org, employees, all)
  await put(
    h,
    org,
    accounts,
    all.map(({ id, email }) => anAccount({ employeeId: id, email })),
  )
  await put(
    h,
    org,
    browserExtensions,
    all.map(({ id }) => aBrowserExtension({ employeeId: id })),
  )
}

async function makeKey(db: Store, org: number): Promise<string> {
  const { key, start, hash } = newApiKey()
  await db.inTransaction((tx) =>
    insertApiKey(tx, {
      org,
      start,
      hash,
      id: newId(systemClock.nowMs()),
      name: 'soak',
      holder: 'soak@example.com',
      permission: 'FULL_ACCESS',
      creationTimestamp: unixSeconds(systemClock),
      expiryTimestamp: null,
      lastUsedTimestamp: null,
      revokedTimestamp: null,
      replacedBy: null,
    }),
  )
  return key
}

async function makeSetupToken(db: Store, organization: Organization): Promise<string> {
  const nowMs = systemClock.nowMs()
  const origin = { publicUrl: 'https://muster.test', id: newId(nowMs), nowSeconds: unixSeconds(systemClock) }
  return (await createSetupLink(db, origin, organization))?.link.split('#')[1] ?? ''
}

async function makeEnrollmentToken(db: Store, org: number): Promise<string> {
  const token = newEnrollmentToken()
  await db.inTransaction((tx) =>
    insertEnrollmentToken(tx, {
      org,
      id: newId(systemClock.nowMs()),
      name: 'soak',
      hash: hashToken(token),
      creationTimestamp: unixSeconds(systemClock),
    }),
  )
  return token
}
