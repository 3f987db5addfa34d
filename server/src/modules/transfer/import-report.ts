import type { CollectionName } from '@muster/contract/api'
import type { StoreOutcome } from './store-record.ts'

/** A line that was not taken in. */
export interface Reject {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** The line as it was, or what can be shown of it; null if it is not known. */
  readonly text: string | null
}

/** How many records of a resource were added, replaced, found unchanged, and refused. */
export interface ResourceCounts {
  added: number
  replaced: number
  unchanged: number
  rejected: number
}

/** A file that could not be read to its end. */
export interface IncompleteFile {
  readonly file: string
  /** How many of its lines were read. */
  readonly lines: number
  readonly reason: string
}

/** What an import tells in the end, and the sum of it. */
export interface ImportSummary {
  readonly resources: Partial<Record<CollectionName, ResourceCounts>>
  /** Lines of which not even the resource is known. */
  unassigned: number
  /** Files of which not all was read. */
  readonly incomplete: IncompleteFile[]
}

/** Nothing of a resource. */
export const noCounts = (): ResourceCounts => ({ added: 0, replaced: 0, unchanged: 0, rejected: 0 })

/** An empty summary. */
export const newSummary = (): ImportSummary => ({ resources: {}, unassigned: 0, incomplete: [] })

/** The counts of a resource, made at the first use. */
export function countsOf(summary: ImportSummary, name: CollectionName): ResourceCounts {
  summary.resources[name] ??= noCounts()
  return summary.resources[name]
}

/** The counts with what became of a batch. */
export const countsWith = (counts: ResourceCounts, outcome: StoreOutcome): ResourceCounts => ({
  added: counts.added + outcome.added,
  replaced: counts.replaced + outcome.replaced,
  unchanged: counts.unchanged + outcome.unchanged,
  rejected: counts.rejected + outcome.refused.length,
})

/** Adds what became of a batch. */
export function countOutcome(summary: ImportSummary, name: CollectionName, outcome: StoreOutcome): void {
  summary.resources[name] = countsWith(countsOf(summary, name), outcome)
}

/** The sums over all resources. */
export function totalOf(summary: ImportSummary): ResourceCounts {
  const total = { added: 0, replaced: 0, unchanged: 0, rejected: summary.unassigned }
  for (const counts of Object.values(summary.resources)) {
    for (const key of ['added', 'replaced', 'unchanged', 'rejected'] as const) total[key] += counts[key]
  }
  return total
}
