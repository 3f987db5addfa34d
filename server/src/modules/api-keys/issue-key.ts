import { ApiError } from '@muster/contract/errors'
import type { Actor } from '@muster/contract/event-actor'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { newApiKey } from '../../kernel/lib/secrets/api-key.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { tellHolderOfDeprecations } from '../api-versions/deprecate-version.ts'
import { type ApiKey, findApiKey, insertApiKey, type Permission, replaceApiKey } from './api-keys.service.ts'
import { auditedKey } from './audited-key.ts'

/** What a new key is made with. */
export interface KeyPlan {
  readonly name: string
  readonly holder: string
  readonly permission: Permission
  readonly expiryTimestamp: number | null
}

/** A new key: the only time that `key` itself is there. */
export interface IssuedKey extends KeyPlan {
  readonly id: string
  readonly key: string
  readonly start: string
  readonly creationTimestamp: number
}

/** When a key is made, and by whom. */
export interface KeyMaking {
  readonly nowMs: number
  readonly actor: Actor
}

/** Makes a key of an organization, created now, and keeps its hash. */
export async function issueKey(
  tx: Tx,
  org: number,
  plan: KeyPlan,
  { nowMs, actor }: KeyMaking,
): Promise<IssuedKey> {
  const { kept, shown } = newKey(org, plan, nowMs)
  await keepKey(tx, kept, nowMs)
  const timestamp = kept.creationTimestamp
  await recordAudit(tx, org, 'API_KEY_ADDED', { actor, timestamp, new: auditedKey(kept) })
  return shown
}

/**
 * Makes the successor of a key, with the same length of life, and sets the end of the old one. That happens to a key once: its
 * end is not the length of its life any more.
 *
 * @param overlapSeconds for how long both work; 0: the old one is revoked at once
 * @throws ApiError conflict for a key that does not work, or was rotated before
 */
export async function rotateKey(
  tx: Tx,
  old: ApiKey,
  overlapSeconds: number,
  { nowMs, actor }: KeyMaking,
): Promise<IssuedKey> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const { name, holder, permission, expiryTimestamp: oldExpiry } = old
  const expiryTimestamp = oldExpiry === null ? null : nowSeconds + oldExpiry - old.creationTimestamp
  const { kept, shown } = newKey(old.org, { name, holder, permission, expiryTimestamp }, nowMs)
  const change =
    overlapSeconds === 0
      ? { expiryTimestamp: oldExpiry, revokedTimestamp: nowSeconds }
      : {
          expiryTimestamp: Math.min(oldExpiry ?? Number.POSITIVE_INFINITY, nowSeconds + overlapSeconds),
          revokedTimestamp: null,
        }
  // First, so that whoever else ends the key at the same time is waited for.
  if (!(await replaceApiKey(tx, old, { ...change, replacedBy: kept.id }, nowSeconds)))
    throw await notRotated(tx, old, nowSeconds)
  await keepKey(tx, kept, nowMs)
  const end = overlapSeconds === 0 ? 'no longer works' : 'works for a while longer'
  const note = `It replaces ${old.start}…, which ${end}.`
  const facts = { actor, timestamp: nowSeconds, new: auditedKey(kept), note }
  await recordAudit(tx, old.org, 'API_KEY_ADDED', facts)
  return shown
}

/** Why a key is not rotated, as it is now. */
async function notRotated(tx: Tx, old: ApiKey, nowSeconds: number): Promise<ApiError> {
  const { org } = old
  const key = (await findApiKey(tx, org, old.id)) ?? old
  const successor = key.replacedBy === null ? undefined : await findApiKey(tx, org, key.replacedBy)
  const why = successor
    ? `was rotated before: rotate its successor, ${successor.start}….`
    : `is ${keyStateOf(key, nowSeconds)}: make a new one.`
  return new ApiError('conflict', `The key ${key.start}… ${why}`)
}

/** Whoever gets a key while a version of the API is deprecated is told of that, once (events contract, section 4). */
async function keepKey(tx: Tx, key: ApiKey, nowMs: number): Promise<void> {
  await tellHolderOfDeprecations(tx, key.org, key.holder, nowMs)
  await insertApiKey(tx, key)
}

function newKey(org: number, plan: KeyPlan, nowMs: number): { kept: ApiKey; shown: IssuedKey } {
  const { key, start, hash } = newApiKey()
  const id = newId(nowMs)
  const creationTimestamp = Math.floor(nowMs / 1000)
  const { name, holder, permission, expiryTimestamp } = plan
  return {
    kept: {
      ...plan,
      org,
      id,
      start,
      hash,
      creationTimestamp,
      lastUsedTimestamp: null,
      revokedTimestamp: null,
      replacedBy: null,
    },
    shown: { id, key, name, holder, permission, start, creationTimestamp, expiryTimestamp },
  }
}

/** Whether a key works at a moment. */
export const keyStateOf = (
  { revokedTimestamp, expiryTimestamp }: ApiKey,
  nowSeconds: number,
): 'active' | 'expired' | 'revoked' => {
  if (revokedTimestamp !== null) return 'revoked'
  return expiryTimestamp !== null && expiryTimestamp <= nowSeconds ? 'expired' : 'active'
}
