import { ApiError } from '@muster/contract/api/errors'
import type { Actor } from '@muster/contract/events/event-actor'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { newApiKey } from '../../kernel/lib/secrets/api-key.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { notifyHolderOfDeprecations } from '../api-versions/deprecate-version.ts'
import { type ApiKey, findApiKey, insertApiKey, type Permission, replaceApiKey } from './api-keys.service.ts'
import { auditedKey } from './audited-key.ts'

/** Properties of a new key. */
export interface KeyInput {
  readonly name: string
  readonly holder: string
  readonly permission: Permission
  readonly expiryTimestamp: number | null
}

/** A new key. The key itself is not stored and cannot be read again. */
export interface IssuedKey extends KeyInput {
  readonly id: string
  readonly key: string
  readonly start: string
  readonly creationTimestamp: number
}

/** Time and actor of a change. */
export interface IssueContext {
  readonly nowMs: number
  readonly actor: Actor
}

/** Creates a key and stores its hash. */
export async function issueKey(
  tx: Tx,
  org: number,
  input: KeyInput,
  { nowMs, actor }: IssueContext,
): Promise<IssuedKey> {
  const { row, issued } = newKey(org, input, nowMs)
  await storeKey(tx, row, nowMs)
  const timestamp = row.creationTimestamp
  await recordAudit(tx, org, 'API_KEY_ADDED', { actor, timestamp, new: auditedKey(row) })
  return issued
}

/**
 * Creates the successor of a key with the same lifetime and sets the expiry of the old key. A key can be rotated only
 * once, since the new expiry replaces the information about its lifetime.
 *
 * @param overlapSeconds time in which both keys work; 0 revokes the old one immediately
 * @throws ApiError conflict if the key is not active or was rotated already
 */
export async function rotateKey(
  tx: Tx,
  old: ApiKey,
  overlapSeconds: number,
  { nowMs, actor }: IssueContext,
): Promise<IssuedKey> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const { name, holder, permission, expiryTimestamp: oldExpiry } = old
  const expiryTimestamp = oldExpiry === null ? null : nowSeconds + oldExpiry - old.creationTimestamp
  const { row, issued } = newKey(old.org, { name, holder, permission, expiryTimestamp }, nowMs)
  const change =
    overlapSeconds === 0
      ? { expiryTimestamp: oldExpiry, revokedTimestamp: nowSeconds }
      : {
          expiryTimestamp: Math.min(oldExpiry ?? Number.POSITIVE_INFINITY, nowSeconds + overlapSeconds),
          revokedTimestamp: null,
        }
  // First, to wait for concurrent changes of the old key.
  if (!(await replaceApiKey(tx, old, { ...change, replacedBy: row.id }, nowSeconds)))
    throw await rotationConflict(tx, old, nowSeconds)
  await storeKey(tx, row, nowMs)
  const end = overlapSeconds === 0 ? 'no longer works' : 'works for a while longer'
  const note = `It replaces ${old.start}…, which ${end}.`
  const facts = { actor, timestamp: nowSeconds, new: auditedKey(row), note }
  await recordAudit(tx, old.org, 'API_KEY_ADDED', facts)
  return issued
}

/** Returns the error for a key that cannot be rotated. */
async function rotationConflict(tx: Tx, old: ApiKey, nowSeconds: number): Promise<ApiError> {
  const { org } = old
  const key = (await findApiKey(tx, org, old.id)) ?? old
  const successor = key.replacedBy === null ? undefined : await findApiKey(tx, org, key.replacedBy)
  const reason = successor
    ? `was already rotated. Rotate its successor ${successor.start}… instead.`
    : `is ${keyStateOf(key, nowSeconds)}. Create a new key instead.`
  return new ApiError('conflict', `The key ${key.start}… ${reason}`)
}

/** Inserts a key and notifies its holder of API deprecations (events contract, section 4). */
async function storeKey(tx: Tx, key: ApiKey, nowMs: number): Promise<void> {
  await notifyHolderOfDeprecations(tx, key.org, key.holder, nowMs)
  await insertApiKey(tx, key)
}

function newKey(org: number, input: KeyInput, nowMs: number): { row: ApiKey; issued: IssuedKey } {
  const { key, start, hash } = newApiKey()
  const id = newId(nowMs)
  const creationTimestamp = Math.floor(nowMs / 1000)
  const { name, holder, permission, expiryTimestamp } = input
  return {
    row: {
      ...input,
      org,
      id,
      start,
      hash,
      creationTimestamp,
      lastUsedTimestamp: null,
      revokedTimestamp: null,
      replacedBy: null,
    },
    issued: { id, key, name, holder, permission, start, creationTimestamp, expiryTimestamp },
  }
}

export const keyStateOf = (
  { revokedTimestamp, expiryTimestamp }: ApiKey,
  nowSeconds: number,
): 'active' | 'expired' | 'revoked' => {
  if (revokedTimestamp !== null) return 'revoked'
  return expiryTimestamp !== null && expiryTimestamp <= nowSeconds ? 'expired' : 'active'
}
