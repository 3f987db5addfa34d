import { createHmac, type KeyObject } from 'node:crypto'
import type { ActionId, OperationId } from '@muster/contract/api'
import { ApiError, type ErrorCode, type Mistake } from '@muster/contract/errors'
import type { Answer, Call } from '../http/bind.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import { findKeptAnswer, type KeptAnswer, keepAnswer } from '../storage/idempotency.ts'
import type { Db, Tx } from '../storage/sql.ts'
import type { Action, ActionInput, Actions } from './action.ts'
import { callActor } from './actor.ts'
import { storableId } from './read.ts'

/**
 * Runs actions: each in one transaction, and once for all requests that carry the same Idempotency-Key
 * (REST contract, Idempotency).
 */
export function actService(options: { db: Db; clock: Clock; actions: Actions; requestKey: KeyObject }) {
  const { db, clock, actions, requestKey } = options
  const running = new Set<string>()

  const act = async (operation: OperationId, call: Call): Promise<Answer> => {
    const chosen = (actions as Partial<Record<OperationId, Action<ActionId>>>)[operation]
    if (!chosen) throw new Error(`there is no action for ${operation}`)
    const { principal, id, body } = call
    const input = {
      org: principal.org,
      principal,
      // What no record can be called names nothing, and neither does an empty text.
      id: storableId(id) ? id : '',
      body,
      actor: callActor(call),
      nowSeconds: unixSeconds(clock),
    } as ActionInput<ActionId>
    if (call.idempotencyKey === undefined) return once(chosen, input)
    return again(chosen, input, call, call.idempotencyKey)
  }

  const once = async (chosen: Action<ActionId>, input: ActionInput<ActionId>): Promise<Answer> => {
    const prepared = await chosen.prepare?.(db, input)
    const response = await inTransaction(chosen, input, (tx) => chosen.run(tx, input, prepared))
    return { status: 200, body: JSON.stringify(response) }
  }

  const inTransaction = async <T>(
    chosen: Action<ActionId>,
    input: ActionInput<ActionId>,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    try {
      return await db.inTransaction(work)
    } catch (error) {
      throw chosen.refusal?.(error, input) ?? error
    }
  }

  const again = async (
    chosen: Action<ActionId>,
    input: ActionInput<ActionId>,
    call: Call,
    key: string,
  ): Promise<Answer> => {
    const request: KeyedRequest = {
      org: input.org,
      // The rate limit knows holders without case, too.
      holder: input.principal.holder.toLowerCase(),
      key,
      requestHash: requestHash(requestKey, call),
      nowSeconds: input.nowSeconds,
    }
    const name = JSON.stringify(['idempotency', request.org, request.holder, key])
    if (running.has(name)) throw stillRunning()
    running.add(name)
    try {
      const kept = await findKeptAnswer(db, request.org, request.holder, key, request.nowSeconds)
      if (kept) return replay(kept, request)
      const prepared = await chosen.prepare?.(db, input)
      return await inTransaction(chosen, input, (tx) =>
        keepFirst(tx, request, name, () => chosen.run(tx, input, prepared)),
      )
    } catch (error) {
      if (isRefusal(error)) await db.inTransaction((tx) => keepRefusal(tx, request, name, error))
      throw error
    } finally {
      running.delete(name)
    }
  }

  return { act }
}

interface KeyedRequest {
  org: number
  holder: string
  key: string
  requestHash: string
  nowSeconds: number
}

/** Runs the work and keeps its answer, unless another process has answered meanwhile. */
async function keepFirst(
  tx: Tx,
  request: KeyedRequest,
  name: string,
  work: () => Promise<unknown>,
): Promise<Answer> {
  const { org, holder, key, requestHash, nowSeconds } = request
  if (!(await tx.tryLock(name))) throw stillRunning()
  const kept = await findKeptAnswer(tx, org, holder, key, nowSeconds)
  if (kept) return replay(kept, request)
  const answer = { status: 200, body: JSON.stringify(await work()) }
  await keepAnswer(tx, org, holder, key, { requestHash, ...answer, creationTimestamp: nowSeconds })
  return answer
}

/** What the rules refused, they refuse to the repeat as well; nothing was changed by either. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  !('idempotency-replayed' in error.headers) &&
  !('retry-after' in error.headers) &&
  error.status < 500 &&
  error.code !== 'idempotency_mismatch'

/** Keeps a refusal, unless another process is doing the request again, or has answered it meanwhile. */
async function keepRefusal(
  tx: Tx,
  { org, holder, key, requestHash, nowSeconds }: KeyedRequest,
  name: string,
  refusal: ApiError,
): Promise<void> {
  if (!(await tx.tryLock(name))) return
  if (await findKeptAnswer(tx, org, holder, key, nowSeconds)) return
  const body = JSON.stringify({ code: refusal.code, detail: refusal.message, mistakes: refusal.mistakes })
  await keepAnswer(tx, org, holder, key, {
    requestHash,
    status: refusal.status,
    body,
    creationTimestamp: nowSeconds,
  })
}

function replay(kept: KeptAnswer, request: KeyedRequest): Answer {
  if (kept.requestHash !== request.requestHash) {
    throw new ApiError(
      'idempotency_mismatch',
      'This Idempotency-Key was used for another path or body within the last 24 hours; use a new one.',
    )
  }
  if (kept.status === 200) return { status: kept.status, body: kept.body, replayed: true }
  const refusal = JSON.parse(kept.body) as { code: ErrorCode; detail: string; mistakes: Mistake[] }
  throw new ApiError(refusal.code, refusal.detail, {
    mistakes: refusal.mistakes,
    headers: { 'idempotency-replayed': 'true' },
  })
}

const stillRunning = (): ApiError =>
  new ApiError('conflict', 'A request with this Idempotency-Key is still running; wait for its answer.', {
    headers: { 'retry-after': '1' },
  })

/** Passwords may stand in a body: what is kept of it cannot be guessed at without the server's key. */
const requestHash = (key: KeyObject, call: Call): string =>
  createHmac('sha256', key)
    .update(`${call.path}\n${JSON.stringify(call.body) ?? ''}`)
    .digest('hex')
