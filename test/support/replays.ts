import { type CollectionName, collections } from '@muster/contract/api/api'
import { scanAccountUsers, scanRecords } from '../../server/src/kernel/store/scan-records.ts'
import { orgSettingsReader } from '../../server/src/modules/agents/org-settings.ts'
import { type ReplayOutcome, replay } from '../../server/src/modules/ingest/replay.ts'
import type { Harness } from './harness.ts'

/** Returns all records of an organization in the form of an export, in the order of creation. */
export async function exported({ db }: Harness, org: number): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const name of Object.keys(collections) as CollectionName[]) {
    const texts: string[] = []
    const pages = name === 'usedBy' ? scanAccountUsers(db, org) : scanRecords(db, collections[name], org)
    for await (const page of pages) texts.push(...page)
    all[name] = texts
  }
  return all
}

/** Rebuilds the inventory of an organization from its stored events. */
export const replayed = ({ db }: Harness, org: number): Promise<ReplayOutcome> =>
  db.inTransaction(async (tx) =>
    replay(tx, org, { settings: await orgSettingsReader()(tx, org), publicUrl: 'https://muster.test' }),
  )
