import type { OperationId } from '@muster/contract/api'
import type { FilterKind } from '@muster/contract/collection'
import type { ConsoleOperationId } from '@muster/contract/console/console-api'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { Access } from '@muster/contract/console/console-operation'

/** A filter of a list, as much of it as a page needs to offer it. */
export interface FilterDeclaration {
  readonly name: string
  readonly kind: FilterKind
  readonly member: string
  readonly type: 'enum' | 'string' | 'boolean' | 'integer'
  readonly values?: readonly string[]
}

/** Whether a filter is of a moment, and not of a number. */
export const isMoment = ({ type, member }: FilterDeclaration): boolean =>
  type === 'integer' && member.endsWith('Timestamp')

/** True for a filter that names an employee by ID. */
export const isPerson = ({ name }: FilterDeclaration): boolean =>
  /^(employeeId|ownerId|mergedIntoId)$/.test(name)

export interface ListDeclaration {
  /** Members that the list can be sorted by. */
  readonly sorts: readonly string[]
  readonly filters: readonly FilterDeclaration[]
}

/** What of the contract the page carries with it, as plain data (declarations-plugin.ts). */
export interface Declarations {
  readonly operations: Readonly<
    Record<ConsoleOperationId, { readonly method: string; readonly path: string; readonly access: Access }>
  >
  /** The operations of `/v1`, by the paths that they have for the page. */
  readonly records: Readonly<Record<OperationId, { readonly method: string; readonly path: string }>>
  readonly lists: Readonly<Record<ConsoleListName, ListDeclaration>>
}
