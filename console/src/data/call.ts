import { declarations } from 'virtual:muster-declarations'
import type { OperationId, operations } from '@muster/contract/api/api'
import type { RecordOf } from '@muster/contract/api/collection'
import type { BodyOf, GetOperation, ResponseOf } from '@muster/contract/api/operation'
import type { ConsoleOperationId, consoleOperations } from '@muster/contract/console/console-api'
import type { ConsoleAnswer, ConsoleBody } from '@muster/contract/console/console-operation'
import { send } from './console-send.ts'

type ConsoleOperations = typeof consoleOperations
type Operations = typeof operations

const pathWith = (path: string, id: string | undefined): string =>
  path.replace(':id', encodeURIComponent(id ?? ''))

/** Calls an operation of the console. @throws ConsoleError */
export function callConsole<Id extends ConsoleOperationId>(
  operationId: Id,
  { id, body }: { id?: string; body?: ConsoleBody<ConsoleOperations[Id]> } = {},
): Promise<ConsoleAnswer<ConsoleOperations[Id]>> {
  const { method, path } = declarations.operations[operationId]
  return send(method, pathWith(path, id), body === undefined ? {} : { body })
}

/** Calls an action of `/v1` as the signed-in administrator. @throws ConsoleError */
export function callRecord<Id extends OperationId>(
  operationId: Id,
  { id, body }: { id?: string; body?: BodyOf<Operations[Id]> } = {},
): Promise<ResponseOf<Operations[Id]>> {
  const { method, path } = declarations.records[operationId]
  return send(method, pathWith(path, id), body === undefined ? {} : { body })
}

type GetId = { [Id in OperationId]: Operations[Id] extends GetOperation ? Id : never }[OperationId]
type RecordOfGet<Id extends GetId> = Operations[Id] extends GetOperation<infer C> ? RecordOf<C> : never

/** Reads one record. @throws ConsoleError */
export function getRecord<Id extends GetId>(
  operationId: Id,
  id: string,
  signal?: AbortSignal,
): Promise<RecordOfGet<Id>> {
  const { path } = declarations.records[operationId]
  return send('GET', pathWith(path, id), signal ? { signal } : {})
}
