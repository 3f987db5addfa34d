import { stored } from './stored.ts'

/** The connection of this browser to the server of its organization (domain contract, section 1). */
export interface Connection {
  /** Origin of the server, without a final slash. */
  readonly serverUrl: string
  readonly browserId: string
  /** The bearer token of this browser. It is kept where content scripts cannot read it. */
  readonly credential: string
  /** How it was enrolled: by a link, or by device management. */
  readonly source: 'LINK' | 'MANAGED'
  /**
   * ENROLLED reports. DORMANT (the employee is not licensed) and REVOKED (the credential is not taken any more)
   * observe and report nothing; DORMANT asks again now and then.
   */
  readonly state: 'ENROLLED' | 'DORMANT' | 'REVOKED'
}

/** The connection, or null while there is none. */
export const connection = stored<Connection | null>('connection', null)
