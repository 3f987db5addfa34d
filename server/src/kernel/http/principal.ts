import type { Role } from '@muster/contract/console/console-operation'

/** Who makes a request: a key, its holder, and the organization that bounds all that they can see. */
export interface Principal {
  readonly org: number
  /** The e-mail address of the administrator the key was made for. */
  readonly holder: string
  readonly keyId: string
  readonly keyName: string
  /** What an administrator may do who is signed in to the console; null for a key. */
  readonly role: Role | null
  readonly mayWrite: boolean
  /** UNIX seconds; null if the key does not expire. */
  readonly expiryTimestamp: number | null
  /** Names the holder over all organizations: whose requests are counted. */
  readonly user: string
}
