import type { Filter } from './protocol/filter-parse.rules.ts'
import type { Projection } from './protocol/projection.rules.ts'
import type { Target } from './protocol/scim-schema.ts'

/** A query of one type of resources (RFC 7644, section 3.4.2). */
export interface ScimQuery {
  readonly filter: Filter | undefined
  readonly sortBy: Target | undefined
  readonly descending: boolean
  /** Index of the first result, from 1. */
  readonly startIndex: number
  readonly count: number
  readonly projection: Projection
}
