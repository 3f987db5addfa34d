import { blockedUrls, blockedUrlsMaximum } from '@muster/contract/records/blocked-url'
import { type Employee, employees } from '@muster/contract/records/employee'
import { claimAddresses, getRecordsForChange, holdersOfAddresses } from '../../kernel/store/batch-lookups.ts'
import { countRecords } from '../../kernel/store/count.ts'
import { getRecordsByValues, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { indexedText } from '../../kernel/store/tables.ts'
import { releaseAddress } from '../employees/employee-addresses.service.ts'
import { refusedParts } from '../scim/managed-employee.service.ts'
import { addressesOf, decideAddresses } from './addresses.rules.ts'
import { isMergeCycle } from './merge-cycle.rules.ts'
import type { CheckedRecord } from './record-check.ts'

/** Records to store together, and the rows they replace. */
export interface Batch {
  readonly tx: Tx
  readonly org: number
  /** Have distinct IDs. */
  readonly records: readonly CheckedRecord[]
  /** Existing rows, by ID. */
  readonly known: ReadonlyMap<string, Stored<CheckedRecord>>
  /** Called with the index of a record that conflicts with something else. */
  refuse(at: number, reason: string): void
  /** Called for a record that already exists in another form. */
  same(): void
}

const mergeCycle =
  'mergedIntoId leads back to the employee: an employee cannot be merged into itself, directly or indirectly'

/** Accepts the employees whose addresses are free or their own, and moves the addresses. */
export async function acceptEmployees({ tx, org, records, known, refuse }: Batch): Promise<CheckedRecord[]> {
  const batch = records as readonly Employee[]
  const previous = (id: string) => known.get(id)?.record as Employee | undefined
  const affected = batch.flatMap((employee) => [
    ...addressesOf(employee),
    ...addressesOf(previous(employee.id)),
  ])
  const before = await holdersOfAddresses(tx, org, [...new Set(affected)])
  const holders = new Map(before)
  const inBatch = new Map(batch.map((employee) => [employee.id, employee]))
  const others = await otherHolders(tx, org, batch, before, inBatch)
  const addressBook = { holders, person: (id: string) => inBatch.get(id) ?? others.get(id) }
  const primaryOf = await primariesOf(tx, org, batch, known)
  const accepted: Employee[] = []
  for (const [at, employee] of batch.entries()) {
    if (isMergeCycle(primaryOf, employee)) {
      refuse(at, mergeCycle)
      continue
    }
    const { mergedIntoId } = employee
    const isNewlyMerged = mergedIntoId !== null && mergedIntoId !== previous(employee.id)?.mergedIntoId
    if (
      known.has(employee.id) &&
      isNewlyMerged &&
      !primaryOf.has(mergedIntoId) &&
      !inBatch.has(mergedIntoId)
    ) {
      refuse(
        at,
        `mergedIntoId ${mergedIntoId} does not exist: the employee's existing records could not be reassigned`,
      )
      continue
    }
    const stored = previous(employee.id)
    const managed = stored ? await refusedParts(tx, org, stored, employee) : []
    if (managed.length > 0) {
      refuse(
        at,
        `the directory manages the ${managed.join(', ')} of this employee: change it in the directory`,
      )
      continue
    }
    const decision = decideAddresses(addressBook, employee, stored)
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

/** Returns the merge targets of employees: stored ones of the batch, and of all employees reachable from there. */
async function primariesOf(
  tx: Tx,
  org: number,
  batch: readonly Employee[],
  known: Batch['known'],
): Promise<Map<string, string | null>> {
  const stored = [...known.values()].map(({ record }) => record as Employee)
  const primaryOf = new Map(stored.map(({ id, mergedIntoId }) => [id, mergedIntoId]))
  const missingTargets = (employees: Iterable<Employee>) => {
    const ids = [...employees].flatMap(({ mergedIntoId }) => mergedIntoId ?? [])
    return [...new Set(ids)].filter((id) => !primaryOf.has(id))
  }
  let next = missingTargets([...batch, ...stored])
  while (next.length > 0) {
    const found = await getRecordsForChange(tx, employees, org, next)
    for (const [id, { record }] of found) primaryOf.set(id, record.mergedIntoId)
    next = missingTargets([...found.values()].map(({ record }) => record))
  }
  return primaryOf
}

/** Returns the employees outside of the batch who hold an address of one in the batch. */
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

/** Accepts the blocked URLs whose pattern is free. A pattern that exists under another ID counts as unchanged. */
export async function acceptPatterns(batch: Batch): Promise<CheckedRecord[]> {
  const { tx, org, records, known, refuse, same } = batch
  // Same lock as the API calls that add a blocked URL.
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
      if (before) refuse(at, `url ${url} is already used by the blocked URL ${holder}`)
      else same()
      return false
    }
    if (!before && left <= 0) {
      refuse(at, `exceeds the maximum of ${blockedUrlsMaximum} blocked URLs per organization`)
      return false
    }
    if (before) holders.delete(String(before.record.url))
    else left -= 1
    holders.set(url, id)
    return true
  })
}
