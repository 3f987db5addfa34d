import type { CollectionName } from '@muster/contract/api/api'
import type { StoreOutcome } from './store-record.ts'

/** Rejected line. */
export interface Reject {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** Text of the line, possibly truncated; null if unknown. */
  readonly text: string | null
}

/** Numbers of added, replaced, unchanged and rejected records of a resource. */
export interface ResourceCounts {
  added: number
  replaced: number
  unchanged: number
  rejected: number
}

/** File that could not be read to its end. */
interface IncompleteFile {
  readonly file: string
  /** Number of lines read. */
  readonly lines: number
  readonly reason: string
}

/** Result of an import. */
export interface ImportSummary {
  readonly resources: Partial<Record<CollectionName, ResourceCounts>>
  /** Number of rejected lines whose resource is unknown. */
  unassigned: number
  /** Files that were read only in part. */
  readonly incomplete: IncompleteFile[]
}

export const noCounts = (): ResourceCounts => ({ added: 0, replaced: 0, unchanged: 0, rejected: 0 })

export const newSummary = (): ImportSummary => ({ resources: {}, unassigned: 0, incomplete: [] })

/** Returns the counts of a resource, created on first use. */
export function countsOf(summary: ImportSummary, name: CollectionName): ResourceCounts {
  summary.resources[name] ??= noCounts()
  return summary.resources[name]
}

/** Returns the counts plus the outcome of a batch. */
export const countsWith = (counts: ResourceCounts, outcome: StoreOutcome): ResourceCounts => ({
  added: counts.added + outcome.added,
  replaced: counts.replaced + outcome.replaced,
  unchanged: counts.unchanged + outcome.unchanged,
  rejected: counts.rejected + outcome.refused.length,
})

/** Adds the outcome of a batch to the summary. */
export function countOutcome(summary: ImportSummary, name: CollectionName, outcome: StoreOutcome): void {
  summary.resources[name] = countsWith(countsOf(summary, name), outcome)
}

/** Returns the sums over all resources. */
export function totalOf(summary: ImportSummary): ResourceCounts {
  const total = { added: 0, replaced: 0, unchanged: 0, rejected: summary.unassigned }
  for (const counts of Object.values(summary.resources)) {
    for (const key of ['added', 'replaced', 'unchanged', 'rejected'] as const) total[key] += counts[key]
  }
  return total
}
