import type { Reader, Tx } from '../store/sql.ts'

/** Stored response to a request with an Idempotency-Key (REST contract, Idempotency). */
export interface KeptAnswer {
  requestHash: string
  status: number
  body: string
  creationTimestamp: number
}

/** Retention of a response. */
const keptSeconds = 24 * 60 * 60

/** Returns the response kept for a key of a holder, unless it is expired. */
export const findKeptAnswer = (
  db: Reader,
  org: number,
  holder: string,
  key: string,
  nowSeconds: number,
): Promise<KeptAnswer | undefined> =>
  db.get<KeptAnswer>(
    `SELECT request_hash AS "requestHash", status, body, creation_timestamp AS "creationTimestamp" FROM idempotency_keys
     WHERE org = ? AND holder = ? AND key = ? AND creation_timestamp > ?`,
    [org, holder, key, nowSeconds - keptSeconds],
  )

/** Stores a response, in the transaction of its action. */
export async function keepAnswer(
  tx: Tx,
  org: number,
  holder: string,
  key: string,
  answer: KeptAnswer,
): Promise<void> {
  await tx.insert(
    'idempotency_keys',
    ['org', 'holder', 'key', 'request_hash', 'status', 'body', 'creation_timestamp'],
    [[org, holder, key, answer.requestHash, answer.status, answer.body, answer.creationTimestamp]],
    `ON CONFLICT (org, holder, key) DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status,
     body = excluded.body, creation_timestamp = excluded.creation_timestamp`,
  )
}

/** Deletes expired responses. */
export const forgetOldAnswers = (tx: Tx, nowSeconds: number): Promise<number> =>
  tx.run('DELETE FROM idempotency_keys WHERE creation_timestamp <= ?', [nowSeconds - keptSeconds])
