import { isIPv4 } from 'node:net'
import { ConfigError } from '../lib/config-error.ts'

/** The settings that decide whether plain HTTP may be served. */
export interface ListenOptions {
  readonly plainHttp: boolean
  readonly host: string
  readonly trustProxy: boolean | readonly string[]
}

/**
 * Whether to serve with TLS. Plain HTTP is only for connections that nobody else can listen to: on this machine, or from
 * a trusted proxy that ends TLS.
 *
 * @throws ConfigError if plain HTTP is asked for anywhere else
 */
export function listenPlan({ plainHttp, host, trustProxy }: ListenOptions): 'https' | 'http' {
  if (!plainHttp) return 'https'
  if (isLoopback(host) || trustProxy !== false) return 'http'
  throw new ConfigError([
    `Plain HTTP on ${host} would send API keys readably over the network. Serve TLS (leave out MUSTER_PLAIN_HTTP), ` +
      'or listen on this machine only (MUSTER_HOST=127.0.0.1), or, behind a proxy that ends TLS, name the address of ' +
      'that proxy (MUSTER_TRUST_PROXY).',
  ])
}

/** Whether only this machine itself can connect to the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
