import { createHmac, type KeyObject } from 'node:crypto'
import type { ActionId, OperationId } from '@muster/contract/api'
import { ApiError, type ErrorCode, type Mistake } from '@muster/contract/errors'
import { callActor } from '../http/actor.ts'
import type { Answer, Call } from '../http/bind.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import { type DerivedKeys, decryptText, encryptText } from '../lib/secrets/secret.ts'
import type { Db, Tx } from '../store/sql.ts'
import type { Action, ActionInput, Actions } from './action.ts'
import { findKeptAnswer, type KeptAnswer, keepAnswer } from './idempotency.ts'
import { storableId } from './read.ts'

/**
 * Runs actions: each in one transaction, and once for all requests that carry the same Idempotency-Key
 * (REST contract, Idempotency).
 */
export function actionRunner(options: {
  db: Db
  clock: Clock
  actions: Actions
  keys: Pick<DerivedKeys, 'requestRecognition' | 'keptAnswers'>
}) {
  const { db, clock, actions, keys } = options
  const running = new Set<string>()

  const runAction = async (operation: OperationId, call: Call): Promise<Answer> => {
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
    const { org, nowSeconds } = input
    // The rate limit knows holders without case, too.
    const holder = input.principal.holder.toLowerCase()
    const name = JSON.stringify(['idempotency', org, holder, key])
    const request: KeyedRequest = {
      ...{ org, holder, key, name, nowSeconds },
      requestHash: requestHash(keys.requestRecognition, call),
      answerKey: chosen.answersSecret ? keys.keptAnswers : undefined,
    }
    if (running.has(name)) throw stillRunning()
    running.add(name)
    try {
      const kept = await findKeptAnswer(db, org, holder, key, nowSeconds)
      if (kept) return replay(kept, request)
      const prepared = await chosen.prepare?.(db, input)
      return await inTransaction(chosen, input, (tx) =>
        keepFirst(tx, request, () => chosen.run(tx, input, prepared)),
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
  /** Names all three: of the lock under which the answer is kept, and of what belongs to it. */
  name: string
  requestHash: string
  /** Set if the answer holds a secret. */
  answerKey: KeyObject | undefined
  nowSeconds: number
}

/** Runs the work and keeps its answer, unless another process has answered meanwhile. */
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
 * The body of a kept answer. One that cannot be decrypted belongs to another master key or another request, as one with
 * another hash does: nothing is done a second time for it either.
 */
function keptBody({ body }: KeptAnswer, { answerKey, name }: KeyedRequest): string {
  // Versions before kept it in clear, for as long as it can be given again.
  if (!answerKey || body.startsWith('{')) return body
  try {
    return decryptText(answerKey, body, name)
  } catch {
    throw mismatch()
  }
}

const mismatch = (): ApiError =>
  new ApiError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for another path or body within the last 24 hours; use a new one.',
  )

const stillRunning = (): ApiError =>
  new ApiError('conflict', 'A request with this Idempotency-Key is still running; wait for its answer.', {
    headers: { 'retry-after': '1' },
  })

/** Passwords may stand in a body: what is kept of it cannot be guessed at without the server's key. */
const requestHash = (key: KeyObject, call: Call): string =>
  createHmac('sha256', key)
    .update(`${call.path}\n${JSON.stringify(call.body) ?? ''}`)
    .digest('hex')
