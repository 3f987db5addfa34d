/** Authenticated browser of a request, and its organization. */
export interface AgentPrincipal {
  readonly org: number
  readonly browserId: string
  /** Employee that the browser was enrolled for. After a merge, records name the primary instead. */
  readonly employeeId: string
}

/** Facts about the client of a request (domain contract, section 2). */
export interface ClientFacts {
  /** IP address of the browser; behind a trusted proxy, the address that the proxy reports. */
  readonly address: string
  /** User agent header; null if missing. */
  readonly userAgent: string | null
}
