import type { CollectionName } from '@muster/contract/api'
import type { StoreOutcome } from './store-record.ts'

/** A line that was not taken in. */
export interface Reject {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** The line as it was; null if it could not be read. */
  readonly text: string | null
}

/** How many records of a resource were added, replaced, found unchanged, and refused. */
export interface ResourceCounts {
  added: number
  replaced: number
  unchanged: number
  rejected: number
}

/** What an import tells in the end, and the sum of it. */
export interface ImportSummary {
  readonly resources: Partial<Record<CollectionName, ResourceCounts>>
  /** Lines of which not even the resource is known. */
  unassigned: number
}

/** An empty summary. */
export const newSummary = (): ImportSummary => ({ resources: {}, unassigned: 0 })

/** The counts of a resource, made at the first use. */
export function countsOf(summary: ImportSummary, name: CollectionName): ResourceCounts {
  summary.resources[name] ??= { added: 0, replaced: 0, unchanged: 0, rejected: 0 }
  return summary.resources[name]
}

/** Adds what became of a batch. */
export function countOutcome(summary: ImportSummary, name: CollectionName, outcome: StoreOutcome): void {
  const counts = countsOf(summary, name)
  counts.added += outcome.added
  counts.replaced += outcome.replaced
  counts.unchanged += outcome.unchanged
  counts.rejected += outcome.refused.length
}

/** The sums over all resources. */
export function totalOf(summary: ImportSummary): ResourceCounts {
  const total = { added: 0, replaced: 0, unchanged: 0, rejected: summary.unassigned }
  for (const counts of Object.values(summary.resources)) {
    for (const key of ['added', 'replaced', 'unchanged', 'rejected'] as const) total[key] += counts[key]
  }
  return total
}
