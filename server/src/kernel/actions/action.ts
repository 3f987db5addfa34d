import type { ActionId, operations } from '@muster/contract/api/api'
import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { type ApiError, notFound } from '@muster/contract/api/errors'
import type { BodyOf, ResponseOf } from '@muster/contract/api/operation'
import type { Actor } from '@muster/contract/events/event-actor'
import type { Principal } from '../http/principal.ts'
import { getRecord, type Stored } from '../store/records.ts'
import type { Db, Tx } from '../store/sql.ts'

type OperationOf<K extends ActionId> = (typeof operations)[K]

/** Input of an action, from its request. */
export interface ActionInput<K extends ActionId> {
  org: number
  principal: Principal
  /** Actor in the audit trail. */
  actor: Actor
  id: string
  body: BodyOf<OperationOf<K>>
  nowSeconds: number
}

/**
 * Implementation of one action of the contract. `run` runs in one transaction, which may be retried. Work that is slow or
 * needs no transaction belongs in `prepare`.
 */
export interface Action<K extends ActionId, P = unknown> {
  /** The response holds a secret of which the store has only the hash. It is encrypted while it is kept for a repeat. */
  readonly answersSecret?: true
  prepare?(db: Db, input: ActionInput<K>): Promise<P>
  run(tx: Tx, input: ActionInput<K>, prepared: P): Promise<ResponseOf<OperationOf<K>>>
  /** Translates an expected error of the transaction for the caller; returns undefined for other errors. */
  refusal?(error: unknown, input: ActionInput<K>): ApiError | undefined
}

/** Implementations of all actions of the contract. */
export type Actions = { [K in ActionId]: Action<K> }

/** Creates an action without preparation. */
export const action = <K extends ActionId>(
  run: (tx: Tx, input: ActionInput<K>) => Promise<ResponseOf<OperationOf<K>>>,
): Action<K> => ({ run })

/**
 * Returns the record that an action changes.
 *
 * @throws ApiError not_found if the organization has no such record
 */
export async function requireRecord<C extends Collection>(
  tx: Tx,
  collection: C,
  org: number,
  id: string,
): Promise<Stored<RecordOf<C>>> {
  const stored = await getRecord(tx, collection, org, id)
  if (!stored) throw notFound()
  return stored
}
