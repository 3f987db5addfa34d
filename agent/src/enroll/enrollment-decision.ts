import type { ManagedConfiguration } from '@muster/contract/agent/agent-enrollment'
import { remainingWaitMs } from '../outbox/retry-delay.ts'
import type { Connection } from '../state/connection.ts'

/** Path of an enrollment page, with its token. */
const enrollmentPath = /^\/enroll\/([A-Za-z0-9_-]{1,256})\/?$/

/** Server and token from the address of an enrollment page. */
export interface EnrollmentLink {
  /** Origin of the server. */
  readonly serverUrl: string
  readonly token: string
}

/** Parses the address of an enrollment page; null if it is not one. */
export function enrollmentLink(address: string): EnrollmentLink | null {
  const url = URL.parse(address)
  const token = url ? enrollmentPath.exec(url.pathname)?.[1] : undefined
  const serverUrl = url ? serverOrigin(url.origin) : null
  return token !== undefined && serverUrl !== null ? { serverUrl, token } : null
}

/**
 * Returns the origin of a server address. Null unless it is https, or http on the loopback interface, where nobody can
 * eavesdrop.
 */
export function serverOrigin(address: string): string | null {
  const url = URL.parse(address)
  if (!url) return null
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url.origin : null
}

/**
 * Decides whether an enrollment link may be used. A link cannot change a server set by managed policy. A link of that
 * server works only if policy sets no token and there is no connection yet (domain contract, section 1).
 */
export function decideLink(
  link: EnrollmentLink,
  managed: ManagedConfiguration,
  current: Connection | null,
): 'ASK' | 'IGNORE' {
  if (managed.serverUrl === undefined) return 'ASK'
  const isOwnServer = serverOrigin(managed.serverUrl) === link.serverUrl
  const isConnected = current !== null && current.serverUrl === link.serverUrl && current.state !== 'REVOKED'
  return isOwnServer && !isConnected ? 'ASK' : 'IGNORE'
}

/**
 * Returns true if a connection must end because policy names another server. Nothing is reported to the old server any
 * more, even if the browser cannot enroll with the new one.
 */
export function mustDisconnect(managed: ManagedConfiguration, current: Connection | null): boolean {
  const named = managed.serverUrl === undefined ? null : serverOrigin(managed.serverUrl)
  return named !== null && current !== null && current.serverUrl !== named
}

/** Maximum wait before policy tries the same server and token again, after a refusal or a rejected credential. */
export const refusedMs = 60 * 60_000

/** Last attempt to enroll by policy. */
export interface ManagedAttempt {
  /** Server and token of the attempt. */
  readonly key: string
  /** Time of the earliest next attempt; milliseconds since the UNIX epoch. */
  readonly notBeforeMs: number
}

/** Returns the server and token of managed policy; null if either is missing or the server is not valid. */
export function managedTarget(managed: ManagedConfiguration): (EnrollmentLink & { key: string }) | null {
  const serverUrl = managed.serverUrl === undefined ? null : serverOrigin(managed.serverUrl)
  const token = managed.enrolmentToken
  return serverUrl !== null && token ? { serverUrl, token, key: `${serverUrl} ${token}` } : null
}

/**
 * Decides whether to enroll by managed policy now: once if there is no connection to its server or the credential was
 * rejected, and again only after the wait.
 */
export function decideManaged(
  managed: ManagedConfiguration,
  current: Connection | null,
  attempt: ManagedAttempt | null,
  nowMs: number,
): 'ENROL' | 'NOTHING' {
  const target = managedTarget(managed)
  if (!target) return 'NOTHING'
  const isConnected =
    current !== null && current.serverUrl === target.serverUrl && current.state !== 'REVOKED'
  if (isConnected) return 'NOTHING'
  const isWaiting = attempt?.key === target.key && remainingWaitMs(attempt.notBeforeMs, nowMs, refusedMs) > 0
  return isWaiting ? 'NOTHING' : 'ENROL'
}
