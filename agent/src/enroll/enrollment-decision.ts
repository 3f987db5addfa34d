import type { ManagedConfiguration } from '@muster/contract/agent-enrollment'
import { restOfWaitMs } from '../outbox/retry-delay.ts'
import type { Connection } from '../state/connection.ts'

/** The path of an enrollment page, with its token. */
const enrollmentPath = /^\/enroll\/([A-Za-z0-9_-]{1,256})\/?$/

/** What an enrollment page's address says: where to enroll, with what. */
export interface EnrollmentLink {
  /** Origin of the server. */
  readonly serverUrl: string
  readonly token: string
}

/** Reads the address of an enrollment page; null if it is none. */
export function enrollmentLink(address: string): EnrollmentLink | null {
  const url = URL.parse(address)
  const token = url ? enrollmentPath.exec(url.pathname)?.[1] : undefined
  const serverUrl = url ? serverOrigin(url.origin) : null
  return token !== undefined && serverUrl !== null ? { serverUrl, token } : null
}

/**
 * The origin of a server's address; null unless it is https, or http on this machine itself, where nobody can listen.
 */
export function serverOrigin(address: string): string | null {
  const url = URL.parse(address)
  if (!url) return null
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url.origin : null
}

/**
 * What a link to enroll may do. A server from managed policy cannot be changed by a link; its own link works only
 * where policy brings no token and there is no connection yet (domain contract, section 1).
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
 * Whether a connection has to end: policy names another server than the one that a link had led to before. Whether it can
 * enroll there or not, nothing is reported elsewhere any more.
 */
export function mustLeave(managed: ManagedConfiguration, current: Connection | null): boolean {
  const named = managed.serverUrl === undefined ? null : serverOrigin(managed.serverUrl)
  return named !== null && current !== null && current.serverUrl !== named
}

/** How long policy waits before it tries the same again, at most: when the server said no, or its credential failed. */
export const refusedMs = 60 * 60_000

/** The last attempt to enroll by policy. */
export interface ManagedAttempt {
  /** Server and token that were tried. */
  readonly key: string
  /** The same is not tried again before; milliseconds since the UNIX epoch. */
  readonly notBeforeMs: number
}

/** Server and token as managed policy names them, if it names both and the server can be one. */
export function managedTarget(managed: ManagedConfiguration): (EnrollmentLink & { key: string }) | null {
  const serverUrl = managed.serverUrl === undefined ? null : serverOrigin(managed.serverUrl)
  const token = managed.enrolmentToken
  return serverUrl !== null && token ? { serverUrl, token, key: `${serverUrl} ${token}` } : null
}

/**
 * Whether to enroll by managed policy now: when there is no connection to its server, or the one there was is not
 * taken any more; then once, and not again before the wait is over.
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
  const isWaiting = attempt?.key === target.key && restOfWaitMs(attempt.notBeforeMs, nowMs, refusedMs) > 0
  return isWaiting ? 'NOTHING' : 'ENROL'
}
