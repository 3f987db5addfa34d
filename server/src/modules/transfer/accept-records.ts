import { blockedUrls, blockedUrlsMaximum } from '@muster/contract/blocked-url'
import type { Employee } from '@muster/contract/employee'
import { employees } from '@muster/contract/employee'
import { claimAddresses, getRecordsForChange, holdersOfAddresses } from '../../kernel/store/batch-lookups.ts'
import { countRecords } from '../../kernel/store/count.ts'
import { indexedText } from '../../kernel/store/indexed-text.ts'
import { getRecordsByValues, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { releaseAddress } from '../employees/employee-addresses.service.ts'
import { addressesOf, decideAddresses } from './addresses.rules.ts'
import { leadsBack } from './merges.rules.ts'
import type { CheckedRecord } from './record-check.ts'

/** Records that came together, and what is there of them. */
export interface Batch {
  readonly tx: Tx
  readonly org: number
  /** With ids that are all different. */
  readonly records: readonly CheckedRecord[]
  /** The rows that they replace, by id. */
  readonly known: ReadonlyMap<string, Stored<CheckedRecord>>
  /** Told of a record that something else stands in the way of, by its place among the records. */
  refuse(at: number, reason: string): void
  /** Told of a record that is there already in another form. */
  same(): void
}

const goesRound =
  'mergedIntoId leads back to the employee: merged employees are shown under one who stands alone'

/** Takes in the employees whose addresses are free or theirs, and hands the addresses over. */
export async function acceptEmployees({ tx, org, records, known, refuse }: Batch): Promise<CheckedRecord[]> {
  const batch = records as readonly Employee[]
  const beforeOf = (id: string) => known.get(id)?.record as Employee | undefined
  const concerned = batch.flatMap((employee) => [
    ...addressesOf(employee),
    ...addressesOf(beforeOf(employee.id)),
  ])
  const before = await holdersOfAddresses(tx, org, [...new Set(concerned)])
  const holders = new Map(before)
  const inBatch = new Map(batch.map((employee) => [employee.id, employee]))
  const others = await otherHolders(tx, org, batch, before, inBatch)
  const book = { holders, person: (id: string) => inBatch.get(id) ?? others.get(id) }
  const primaryOf = await primariesOf(tx, org, batch, known)
  const accepted: Employee[] = []
  for (const [at, employee] of batch.entries()) {
    if (leadsBack(primaryOf, employee)) {
      refuse(at, goesRound)
      continue
    }
    const { mergedIntoId } = employee
    const isMerged = mergedIntoId !== null && mergedIntoId !== beforeOf(employee.id)?.mergedIntoId
    if (known.has(employee.id) && isMerged && !primaryOf.has(mergedIntoId) && !inBatch.has(mergedIntoId)) {
      refuse(
        at,
        `mergedIntoId ${mergedIntoId} is nobody under whom what is there of the employee could be shown`,
      )
      continue
    }
    const decision = decideAddresses(book, employee, beforeOf(employee.id))
    if ('refused' in decision) {
      refuse(at, decision.refused)
      continue
    }
    for (const address of decision.releases) holders.delete(address)
    for (const address of decision.claims) holders.set(address, employee.id)
    primaryOf.set(employee.id, employee.mergedIntoId)
    accepted.push(employee)
  }
  await moveAddresses(tx, org, before, holders)
  return accepted
}

/** Whom employees are merged into, as it is stored: of the batch, and of all to whom it leads from there who are there. */
async function primariesOf(
  tx: Tx,
  org: number,
  batch: readonly Employee[],
  known: Batch['known'],
): Promise<Map<string, string | null>> {
  const stored = [...known.values()].map(({ record }) => record as Employee)
  const primaryOf = new Map(stored.map(({ id, mergedIntoId }) => [id, mergedIntoId]))
  const named = (employees: Iterable<Employee>) => {
    const ids = [...employees].flatMap(({ mergedIntoId }) => mergedIntoId ?? [])
    return [...new Set(ids)].filter((id) => !primaryOf.has(id))
  }
  let next = named([...batch, ...stored])
  while (next.length > 0) {
    const found = await getRecordsForChange(tx, employees, org, next)
    for (const [id, { record }] of found) primaryOf.set(id, record.mergedIntoId)
    next = named([...found.values()].map(({ record }) => record))
  }
  return primaryOf
}

/** Who else has an address that one of the employees has, too. */
async function otherHolders(
  tx: Tx,
  org: number,
  batch: readonly Employee[],
  holders: ReadonlyMap<string, string>,
  inBatch: ReadonlyMap<string, Employee>,
): Promise<Map<string, Employee>> {
  const ids = new Set<string>()
  for (const employee of batch) {
    for (const address of addressesOf(employee)) {
      const holder = holders.get(address)
      if (holder !== undefined && !inBatch.has(holder)) ids.add(holder)
    }
  }
  if (ids.size === 0) return new Map()
  const found = await getRecordsForChange(tx, employees, org, [...ids])
  return new Map([...found].map(([id, { record }]) => [id, record]))
}

async function moveAddresses(
  tx: Tx,
  org: number,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [address, employeeId] of before)
    if (after.get(address) !== employeeId) await releaseAddress(tx, org, address, employeeId)
  const claims = [...after].filter(([address, employeeId]) => before.get(address) !== employeeId)
  if (claims.length === 0) return
  await claimAddresses(
    tx,
    org,
    claims.map(([address, employeeId]) => ({ address, employeeId })),
  )
}

/** Takes in the blocked URLs whose pattern nobody else has; one that is there under another id is there already. */
export async function acceptPatterns(batch: Batch): Promise<CheckedRecord[]> {
  const { tx, org, records, known, refuse, same } = batch
  // As calls of the API take it that add one.
  await tx.lock(`blocked-urls ${org}`)
  const urls = records.map(({ url }) => indexedText(String(url)))
  const found = await getRecordsByValues(tx, blockedUrls, org, 'url', urls)
  const holders = new Map(found.map(({ id, record }) => [record.url, id]))
  let left = blockedUrlsMaximum - (await countRecords(tx, blockedUrls, org))
  return records.filter((record, at) => {
    const [id, url] = [String(record.id), String(record.url)]
    const holder = holders.get(url)
    const before = known.get(id)
    if (holder !== undefined && holder !== id) {
      if (before) refuse(at, `url ${url} is that of the blocked URL ${holder} already`)
      else same()
      return false
    }
    if (!before && left <= 0) {
      refuse(at, `would be one too many: an organization has at most ${blockedUrlsMaximum} blocked URLs`)
      return false
    }
    if (before) holders.delete(String(before.record.url))
    else left -= 1
    holders.set(url, id)
    return true
  })
}
