import { type ExtensionGroup, extensionGroups } from '@muster/contract/console/extension-group'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { getRecordsByIds, insertRecords, removeRecord, updateRecord } from '../../kernel/store/records.ts'
import { secondOfSequence } from '../../kernel/store/sequence.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { idsAfter } from '../../kernel/store/walk.ts'
import { walkInstalledExtensions } from './extension-counting.service.ts'
import { addInstallations, type ExtensionTally, groupOf } from './extension-tally.rules.ts'

/** So few rows are taken at once that what a page of them costs is not felt by requests that wait. */
const countedAtOnce = 500
const writtenAtOnce = 50

/**
 * Counts the extensions of an organization, and puts right what is kept of each. Reads are done off the main thread,
 * writes in small transactions, and only what differs is written.
 *
 * @throws the reason of the signal, when that is given up; what was written by then is right, and not all there is
 */
export async function countExtensions(db: Db, org: number, signal?: AbortSignal): Promise<void> {
  const tally: ExtensionTally = new Map()
  for await (const rows of walkInstalledExtensions(db.slow, org, countedAtOnce)) {
    signal?.throwIfAborted()
    addInstallations(tally, rows)
  }
  const ids = [...tally.keys()]
  for (let from = 0; from < ids.length; from += writtenAtOnce) {
    signal?.throwIfAborted()
    const part = ids.slice(from, from + writtenAtOnce)
    await db.inTransaction((tx) => keepGroups(tx, org, tally, part))
    await yieldToEventLoop()
  }
  await removeOthers(db, org, tally)
}

async function keepGroups(tx: Tx, org: number, tally: ExtensionTally, ids: readonly string[]): Promise<void> {
  // Nobody changes what is blocked meanwhile.
  await tx.lock(`controls ${org}`)
  const blocked = new Set((await readControls(tx, org)).blockedExtensionIds)
  const known = new Map(
    (await getRecordsByIds(tx, extensionGroups, org, ids)).map((stored) => [stored.id, stored]),
  )
  const added = []
  for (const id of ids) {
    const counted = tally.get(id)
    if (!counted) continue
    const stored = known.get(id)
    const since = secondOfSequence(counted.firstSeq)
    const { creationTimestamp = since } = stored?.record ?? {}
    const { creationTimestamp: at, ...facts } = groupOf(id, counted, creationTimestamp)
    const record: ExtensionGroup = { ...facts, blocked: blocked.has(id), creationTimestamp: at }
    if (!stored) added.push({ id, record, createdAtSeconds: since })
    else if (JSON.stringify(stored.record) !== JSON.stringify(record))
      await updateRecord(tx, extensionGroups, org, stored, { record })
  }
  await insertRecords(tx, extensionGroups, org, added)
}

/** Removes what is kept of extensions that nobody has any more. */
async function removeOthers(db: Db, org: number, tally: ExtensionTally): Promise<void> {
  for (let after = -1; ; ) {
    const some = await idsAfter(db, extensionGroups, org, after)
    const gone = some.map(({ id }) => id).filter((id) => !tally.has(id))
    if (gone.length > 0) {
      await db.inTransaction(async (tx) => {
        for (const stored of await getRecordsByIds(tx, extensionGroups, org, gone))
          await removeRecord(tx, extensionGroups, org, stored)
      })
    }
    const last = some.at(-1)
    if (!last) return
    after = last.seq
  }
}

/** Shows which extensions are blocked from now on, in the transaction that changes the controls. */
export async function showBlocked(
  tx: Tx,
  org: number,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const [were, are] = [new Set(before), new Set(after)]
  const changed = [...new Set([...before, ...after])].filter((id) => were.has(id) !== are.has(id))
  if (changed.length === 0) return
  for (const stored of await getRecordsByIds(tx, extensionGroups, org, changed)) {
    const record = { ...stored.record, blocked: are.has(stored.id) }
    await updateRecord(tx, extensionGroups, org, stored, { record })
  }
}
