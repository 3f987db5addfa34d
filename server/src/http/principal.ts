/** Who makes a request: a key, its holder, and the organisation that bounds all that they can see. */
export interface Principal {
  readonly org: number
  /** The e-mail address of the administrator the key was made for. */
  readonly holder: string
  readonly keyId: string
  readonly keyName: string
  readonly mayWrite: boolean
  /** UNIX seconds; null if the key does not expire. */
  readonly expiryTimestamp: number | null
  /** Names the holder over all organisations: whose requests are counted. */
  readonly user: string
}
