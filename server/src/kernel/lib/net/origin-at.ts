import { isIPv6 } from 'node:net'

/** Wildcard addresses. */
const everywhere = ['0.0.0.0', '[::]']

/** Returns the host as in a URL, with IPv6 shortened, in brackets and without zone: `::1` → `[::1]`. */
const urlHost = (host: string): string =>
  isIPv6(host) ? new URL(`http://[${host.split('%')[0]}]`).hostname : host

/** Returns true if listening on the host means listening on every address of this machine. */
export const isEverywhere = (host: string): boolean => everywhere.includes(urlHost(host))

/**
 * Returns the URL of a server that listens on a host: `https`, `::1`, 8443 → `https://[::1]:8443`. For wildcard addresses
 * the host is localhost.
 */
export const originAt = (scheme: string, host: string, port: number): string =>
  `${scheme}://${isEverywhere(host) ? 'localhost' : urlHost(host)}:${port}`
