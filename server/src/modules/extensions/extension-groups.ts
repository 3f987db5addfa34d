import { type ExtensionGroup, extensionGroups } from '@muster/contract/console/extension-group'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { getRecordsByIds, insertRecords, removeRecord, updateRecord } from '../../kernel/store/records.ts'
import { idsAfter } from '../../kernel/store/scan-records.ts'
import { secondOfSequence } from '../../kernel/store/sequence.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { readInstalledExtensions } from './extension-counting.service.ts'
import { addInstallations, type ExtensionTally, groupOf } from './extension-tally.rules.ts'

/** Small enough that a chunk does not delay other requests noticeably. */
const rowsPerRead = 500
const groupsPerTransaction = 50

/**
 * Counts the extensions of an organization and updates the stored counts. Reads off the main thread, and
 * writes only differences, in small transactions.
 *
 * @throws the reason of the signal if aborted; counts written by then are correct but not complete
 */
export async function countExtensions(db: Db, org: number, signal?: AbortSignal): Promise<void> {
  const tally: ExtensionTally = new Map()
  for await (const rows of readInstalledExtensions(db.slow, org, rowsPerRead)) {
    signal?.throwIfAborted()
    addInstallations(tally, rows)
  }
  const ids = [...tally.keys()]
  for (let from = 0; from < ids.length; from += groupsPerTransaction) {
    signal?.throwIfAborted()
    const chunk = ids.slice(from, from + groupsPerTransaction)
    await db.inTransaction((tx) => writeGroups(tx, org, tally, chunk))
    await yieldToEventLoop()
  }
  await removeUninstalled(db, org, tally)
}

async function writeGroups(
  tx: Tx,
  org: number,
  tally: ExtensionTally,
  ids: readonly string[],
): Promise<void> {
  // Keeps the list of blocked extensions unchanged meanwhile.
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
    const { creationTimestamp: firstSeen, ...facts } = groupOf(id, counted, creationTimestamp)
    const record: ExtensionGroup = { ...facts, blocked: blocked.has(id), creationTimestamp: firstSeen }
    if (!stored) added.push({ id, record, createdAtSeconds: since })
    else if (JSON.stringify(stored.record) !== JSON.stringify(record))
      await updateRecord(tx, extensionGroups, org, stored, { record })
  }
  await insertRecords(tx, extensionGroups, org, added)
}

/** Removes the counts of extensions that are no longer installed. */
async function removeUninstalled(db: Db, org: number, tally: ExtensionTally): Promise<void> {
  for (let after = -1; ; ) {
    const page = await idsAfter(db, extensionGroups, org, after)
    const gone = page.map(({ id }) => id).filter((id) => !tally.has(id))
    if (gone.length > 0) {
      await db.inTransaction(async (tx) => {
        for (const stored of await getRecordsByIds(tx, extensionGroups, org, gone))
          await removeRecord(tx, extensionGroups, org, stored)
      })
    }
    const last = page.at(-1)
    if (!last) return
    after = last.seq
  }
}

/** Updates the blocked flags of extensions, in the transaction that changes the controls. */
export async function updateBlockedFlags(
  tx: Tx,
  org: number,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const blockedBefore = new Set(before)
  const blockedNow = new Set(after)
  const changed = [...blockedBefore.symmetricDifference(blockedNow)]
  if (changed.length === 0) return
  for (const stored of await getRecordsByIds(tx, extensionGroups, org, changed)) {
    const record = { ...stored.record, blocked: blockedNow.has(stored.id) }
    await updateRecord(tx, extensionGroups, org, stored, { record })
  }
}
