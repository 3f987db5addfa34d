import type { OperationId } from '@muster/contract/api/api'
import type { FilterKind } from '@muster/contract/api/collection'
import type { ConsoleOperationId } from '@muster/contract/console/console-api'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import type { Access } from '@muster/contract/console/console-operation'

/** The part of a list filter that the console needs. */
export interface FilterDeclaration {
  readonly name: string
  readonly kind: FilterKind
  readonly member: string
  readonly type: 'enum' | 'string' | 'boolean' | 'integer'
  readonly values?: readonly string[]
}

/** True for a filter by time rather than by number. */
export const isMoment = ({ type, member }: FilterDeclaration): boolean =>
  type === 'integer' && member.endsWith('Timestamp')

/** True for a filter that names an employee by ID. */
export const isPerson = ({ name }: FilterDeclaration): boolean =>
  /^(employeeId|ownerId|mergedIntoId|involvedId)$/.test(name)

interface ListDeclaration {
  /** Members that the list can be sorted by. */
  readonly sorts: readonly string[]
  readonly filters: readonly FilterDeclaration[]
}

/** Contract data that is bundled with the page (see declarations-plugin.ts). */
export interface Declarations {
  readonly operations: Readonly<
    Record<ConsoleOperationId, { readonly method: string; readonly path: string; readonly access: Access }>
  >
  /** The operations of `/v1`, with their paths under the console API. */
  readonly records: Readonly<Record<OperationId, { readonly method: string; readonly path: string }>>
  readonly lists: Readonly<Record<ConsoleListName, ListDeclaration>>
}
