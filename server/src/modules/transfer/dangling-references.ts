import { type CollectionName, collections } from '@muster/contract/api/api'
import { creationSecondsOf } from '../../kernel/store/batch-lookups.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { CheckedRecord } from './record-check.ts'
import { type Reference, references } from './resources.ts'

/** References of one kind to records that do not exist. */
export interface DanglingWarning {
  readonly resource: CollectionName
  readonly member: string
  readonly target: CollectionName
  /** Number of records with such a reference. */
  readonly count: number
  /** Record, and the ID that it refers to. */
  readonly example: { readonly id: string; readonly value: string }
}

interface Suspect {
  count: number
  readonly id: string
}

/** Maximum number of IDs to remember, both of existing and of missing records. */
const idsMaximum = 200_000

/**
 * Collects the references of imported records. A record may come before the ones it refers to, so missing ones are looked
 * up again at the end. Beyond 200,000 missing IDs of a kind, further ones are only counted.
 */
export function collectReferences(org: number) {
  const found = new Map<CollectionName, Set<string>>()
  const missing = new Map<Reference, { name: CollectionName; ids: Map<string, Suspect>; beyond: number }>()

  /** Adds the references of records, which need not be stored yet. */
  async function add(db: Db, name: CollectionName, records: readonly CheckedRecord[]): Promise<void> {
    for (const reference of references[name]) {
      const known = knownOf(reference.target)
      const unknown = new Set<string>()
      for (const record of records) {
        const value = record[reference.member]
        if (typeof value === 'string' && !known.has(value)) unknown.add(value)
      }
      if (unknown.size === 0) continue
      const existing = await creationSecondsOf(db, collections[reference.target], org, [...unknown])
      for (const id of existing.keys()) known.add(id)
      if (existing.size < unknown.size) suspect(name, reference, records, known)
    }
  }

  function knownOf(target: CollectionName): Set<string> {
    let known = found.get(target)
    if (known === undefined || known.size > idsMaximum) {
      known = new Set()
      found.set(target, known)
    }
    return known
  }

  function suspect(
    name: CollectionName,
    reference: Reference,
    records: readonly CheckedRecord[],
    known: Set<string>,
  ): void {
    const entry = missing.get(reference) ?? { name, ids: new Map<string, Suspect>(), beyond: 0 }
    missing.set(reference, entry)
    for (const record of records) {
      const value = record[reference.member]
      if (typeof value !== 'string' || known.has(value)) continue
      const before = entry.ids.get(value)
      if (before) before.count += 1
      else if (entry.ids.size < idsMaximum)
        entry.ids.set(value, { count: 1, id: String(record.id ?? record.accountId) })
      else entry.beyond += 1
    }
  }

  /** Returns the references that are still dangling after the import. */
  async function warnings(db: Db): Promise<DanglingWarning[]> {
    const result: DanglingWarning[] = []
    for (const [{ member, target }, { name, ids, beyond }] of missing) {
      const existing = await creationSecondsOf(db, collections[target], org, [...ids.keys()])
      const left = [...ids].filter(([value]) => !existing.has(value))
      const [first] = left
      if (first === undefined) continue
      const count = left.reduce((sum, [, suspected]) => sum + suspected.count, beyond)
      result.push({ resource: name, member, target, count, example: { id: first[1].id, value: first[0] } })
    }
    return result
  }

  return { add, warnings }
}
