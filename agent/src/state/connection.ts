import { stored } from './stored.ts'

/** Connection of this browser to its organization's server (domain contract, section 1). */
export interface Connection {
  /** Origin of the server, without a trailing slash. */
  readonly serverUrl: string
  readonly browserId: string
  /** Bearer token of this browser. Stored where content scripts cannot read it. */
  readonly credential: string
  /** Method of enrollment: a link, or device management. */
  readonly source: 'LINK' | 'MANAGED'
  /**
   * ENROLLED reports. DORMANT (the employee is not licensed) and REVOKED (the credential is rejected) observe and
   * report nothing; DORMANT asks again periodically.
   */
  readonly state: 'ENROLLED' | 'DORMANT' | 'REVOKED'
}

/** Connection; null if there is none. */
export const connection = stored<Connection | null>('connection', null)
