import { createHmac, type KeyObject } from 'node:crypto'
import type { ActionId, OperationId } from '@muster/contract/api/api'
import { ApiError, type ErrorCode, type Mistake } from '@muster/contract/api/errors'
import { callActor } from '../http/actor.ts'
import type { Answer, Call } from '../http/bind.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import { type DerivedKeys, decryptText, encryptText } from '../lib/secrets/secret.ts'
import type { Db, Tx } from '../store/sql.ts'
import type { Action, ActionInput, Actions } from './action.ts'
import { findKeptAnswer, type KeptAnswer, keepAnswer } from './idempotency.ts'
import { storableId } from './read.ts'

/**
 * Creates the runner of actions. An action runs in one transaction, and only once for all requests with the same
 * Idempotency-Key (REST contract, Idempotency).
 */
export function actionRunner(options: {
  db: Db
  clock: Clock
  actions: Actions
  keys: Pick<DerivedKeys, 'requestRecognition' | 'keptAnswers'>
}) {
  const { db, clock, actions, keys } = options
  /** Idempotency keys of requests that this process handles now. */
  const running = new Set<string>()

  const runAction = async (operation: OperationId, call: Call): Promise<Answer> => {
    const action = (actions as Partial<Record<OperationId, Action<ActionId>>>)[operation]
    if (!action) throw new Error(`there is no action for ${operation}`)
    const { principal, id, body } = call
    const input = {
      org: principal.org,
      principal,
      // An ID that the store cannot hold matches no record, like the empty string.
      id: storableId(id) ? id : '',
      body,
      actor: callActor(call),
      nowSeconds: unixSeconds(clock),
    } as ActionInput<ActionId>
    if (call.idempotencyKey === undefined) return runOnce(action, input)
    return runWithKey(action, input, call, call.idempotencyKey)
  }

  const runOnce = async (action: Action<ActionId>, input: ActionInput<ActionId>): Promise<Answer> => {
    const prepared = await action.prepare?.(db, input)
    const response = await inTransaction(action, input, (tx) => action.run(tx, input, prepared))
    return { status: 200, body: JSON.stringify(response) }
  }

  const inTransaction = async <T>(
    action: Action<ActionId>,
    input: ActionInput<ActionId>,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    try {
      return await db.inTransaction(work)
    } catch (error) {
      throw action.refusal?.(error, input) ?? error
    }
  }

  const runWithKey = async (
    action: Action<ActionId>,
    input: ActionInput<ActionId>,
    call: Call,
    key: string,
  ): Promise<Answer> => {
    const { org, nowSeconds } = input
    // Ignores case, as the rate limit does.
    const holder = input.principal.holder.toLowerCase()
    const name = JSON.stringify(['idempotency', org, holder, key])
    const request: KeyedRequest = {
      org,
      holder,
      key,
      name,
      nowSeconds,
      requestHash: requestHash(keys.requestRecognition, call),
      answerKey: action.answersSecret ? keys.keptAnswers : undefined,
    }
    if (running.has(name)) throw stillRunning()
    running.add(name)
    try {
      const kept = await findKeptAnswer(db, org, holder, key, nowSeconds)
      if (kept) return replay(kept, request)
      const prepared = await action.prepare?.(db, input)
      return await inTransaction(action, input, (tx) =>
        keepFirst(tx, request, () => action.run(tx, input, prepared)),
      )
    } catch (error) {
      if (isRefusal(error)) await db.inTransaction((tx) => keepRefusal(tx, request, error))
      throw error
    } finally {
      running.delete(name)
    }
  }

  return { runAction }
}

interface KeyedRequest {
  org: number
  holder: string
  key: string
  /** Combination of the three: name of the lock, and associated data of the encrypted response. */
  name: string
  requestHash: string
  /** Set if the response holds a secret. */
  answerKey: KeyObject | undefined
  nowSeconds: number
}

/** Runs the work and keeps its response, unless another process has responded in the meantime. */
async function keepFirst(tx: Tx, request: KeyedRequest, work: () => Promise<unknown>): Promise<Answer> {
  const { org, holder, key, name, requestHash, answerKey, nowSeconds } = request
  if (!(await tx.tryLock(name))) throw stillRunning()
  const kept = await findKeptAnswer(tx, org, holder, key, nowSeconds)
  if (kept) return replay(kept, request)
  const answer = { status: 200, body: JSON.stringify(await work()) }
  const body = answerKey ? encryptText(answerKey, answer.body, name) : answer.body
  await keepAnswer(tx, org, holder, key, { requestHash, status: 200, body, creationTimestamp: nowSeconds })
  return answer
}

/** Returns true for errors that a repeated request gets again. Such a request changed nothing. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  !('idempotency-replayed' in error.headers) &&
  !('retry-after' in error.headers) &&
  error.status < 500 &&
  error.code !== 'idempotency_mismatch'

/** Keeps an error response, unless another process handles the same request or has responded in the meantime. */
async function keepRefusal(
  tx: Tx,
  { org, holder, key, name, requestHash, nowSeconds }: KeyedRequest,
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
  if (kept.requestHash !== request.requestHash) throw mismatch()
  if (kept.status === 200) return { status: kept.status, body: keptBody(kept, request), replayed: true }
  const refusal = JSON.parse(kept.body) as { code: ErrorCode; detail: string; mistakes: Mistake[] }
  throw new ApiError(refusal.code, refusal.detail, {
    mistakes: refusal.mistakes,
    headers: { 'idempotency-replayed': 'true' },
  })
}

/**
 * Returns the body of a kept response.
 *
 * @throws ApiError if it cannot be decrypted: it belongs to another master key or request, so the action must not run again
 */
function keptBody({ body }: KeptAnswer, { answerKey, name }: KeyedRequest): string {
  if (!answerKey) return body
  try {
    return decryptText(answerKey, body, name)
  } catch {
    throw mismatch()
  }
}

const mismatch = (): ApiError =>
  new ApiError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for another path or body within the last 24 hours. Use a new key.',
  )

const stillRunning = (): ApiError =>
  new ApiError(
    'conflict',
    'A request with this Idempotency-Key is still in progress. Wait for its response.',
    {
      headers: { 'retry-after': '1' },
    },
  )

/** Returns a keyed hash: a body may hold a password, which could be guessed from a plain hash. */
const requestHash = (key: KeyObject, call: Call): string =>
  createHmac('sha256', key)
    .update(`${call.path}\n${JSON.stringify(call.body) ?? ''}`)
    .digest('hex')
