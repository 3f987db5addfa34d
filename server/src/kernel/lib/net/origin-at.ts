import { isIPv6 } from 'node:net'

/** Addresses that stand for every one of this machine. */
const everywhere = ['0.0.0.0', '[::]']

/** As it is written in an address, IPv6 in brackets, its shortest form, and without the interface: `::1` → `[::1]`. */
const written = (host: string): string =>
  isIPv6(host) ? new URL(`http://[${host.split('%')[0]}]`).hostname : host

/** Whether to listen on the host is to listen on every address of this machine. */
export const isEverywhere = (host: string): boolean => everywhere.includes(written(host))

/**
 * The address of a server that listens on a host: `https`, `::1`, 8443 → `https://[::1]:8443`. One that listens everywhere
 * is met at localhost.
 */
export const originAt = (scheme: string, host: string, port: number): string =>
  `${scheme}://${isEverywhere(host) ? 'localhost' : written(host)}:${port}`
