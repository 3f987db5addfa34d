/** The browser that makes a request, known by its credential, and the organization that bounds all it can do. */
export interface AgentPrincipal {
  readonly org: number
  readonly browserId: string
  /** The employee that the browser was enrolled for; the one shown may be another, after a merge. */
  readonly employeeId: string
}

/** What is known of a request from its connection, not from its body (domain contract, section 2). */
export interface Connection {
  /** The address of the browser, or what a trusted proxy says that it is. */
  readonly address: string
  /** The user agent header; null if none was sent. */
  readonly userAgent: string | null
}
