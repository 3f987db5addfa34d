import type { Role } from '@muster/contract/console/console-operation'

/** Authenticated caller: key, holder, and the organization that limits access. */
export interface Principal {
  readonly org: number
  /** E-mail address of the administrator that the key was created for. */
  readonly holder: string
  readonly keyId: string
  readonly keyName: string
  /** Role of an administrator in the console; null for an API key. */
  readonly role: Role | null
  readonly mayWrite: boolean
  /** UNIX seconds; null if the key does not expire. */
  readonly expiryTimestamp: number | null
  /** Identifier of the holder across organizations, for the rate limit. */
  readonly user: string
}
