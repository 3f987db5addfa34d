import type { Actor } from '@muster/contract/event-actor'
import { tellHolderOfDeprecations } from '../../events/deprecate-version.ts'
import { newApiKey } from '../../lib/api-key.ts'
import { newId } from '../../lib/id.ts'
import {
  type ApiKey,
  expireApiKey,
  insertApiKey,
  type Permission,
  revokeApiKey,
} from '../../storage/api-keys.ts'
import { tellAudit } from '../../storage/audit-trail.ts'
import type { Tx } from '../../storage/sql.ts'
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

/** Makes a key of an organisation, created now, and keeps its hash. */
export async function issueKey(
  tx: Tx,
  org: number,
  plan: KeyPlan,
  { nowMs, actor }: KeyMaking,
): Promise<IssuedKey> {
  const { kept, shown } = newKey(org, plan, nowMs)
  await keepKey(tx, kept, nowMs)
  const timestamp = kept.creationTimestamp
  await tellAudit(tx, org, 'API_KEY_ADDED', { actor, timestamp, new: auditedKey(kept) })
  return shown
}

/**
 * Makes the successor of a key, with the same length of life, and sets the end of the old one.
 *
 * @param overlapSeconds for how long both work; 0: the old one is revoked at once
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
  await keepKey(tx, kept, nowMs)
  const end = overlapSeconds === 0 ? 'works no more' : 'works on for a while'
  const description = `An API key was made in the place of ${old.start}…, which ${end}.`
  const facts = { actor, timestamp: nowSeconds, new: auditedKey(kept), description }
  await tellAudit(tx, old.org, 'API_KEY_ADDED', facts)
  const expiry = Math.min(oldExpiry ?? Number.POSITIVE_INFINITY, nowSeconds + overlapSeconds)
  if (overlapSeconds === 0) await revokeApiKey(tx, old.org, old.id, nowSeconds)
  else await expireApiKey(tx, old.org, old.id, expiry)
  return shown
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
