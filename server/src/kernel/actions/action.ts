import type { ActionId, operations } from '@muster/contract/api'
import type { ApiError } from '@muster/contract/errors'
import type { Actor } from '@muster/contract/event-actor'
import type { BodyOf, ResponseOf } from '@muster/contract/operation'
import type { Principal } from '../http/principal.ts'
import type { Db, Tx } from '../store/sql.ts'

type OperationOf<K extends ActionId> = (typeof operations)[K]

/** What an action is told of its request. */
export interface ActionInput<K extends ActionId> {
  org: number
  principal: Principal
  /** Whom the audit trail tells of. */
  actor: Actor
  id: string
  body: BodyOf<OperationOf<K>>
  nowSeconds: number
}

/**
 * What the server does for one action: all of it in one transaction, which may be tried again. What is
 * slow or needs no transaction is prepared before it.
 */
export interface Action<K extends ActionId, P = unknown> {
  /** The answer holds what the store has only the hash of: it is encrypted while it is kept for a repeat. */
  readonly answersSecret?: true
  prepare?(db: Db, input: ActionInput<K>): Promise<P>
  run(tx: Tx, input: ActionInput<K>, prepared: P): Promise<ResponseOf<OperationOf<K>>>
  /** What the caller is told when the transaction failed with `error`; undefined if that was not foreseen. */
  refusal?(error: unknown, input: ActionInput<K>): ApiError | undefined
}

/** Every action of the contract; one that is missing does not compile. */
export type Actions = { [K in ActionId]: Action<K> }

/** An action without preparation. */
export const action = <K extends ActionId>(
  run: (tx: Tx, input: ActionInput<K>) => Promise<ResponseOf<OperationOf<K>>>,
): Action<K> => ({ run })
