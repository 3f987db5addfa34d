import { isIPv4 } from 'node:net'
import { ConfigError } from '../lib/config-error.ts'
import { isEverywhere } from '../lib/net/origin-at.ts'

/** Settings for listening and for plain HTTP. */
export interface ListenOptions {
  readonly plainHttp: boolean
  readonly host: string
  readonly port: number
  /** Port of the metrics; 0: disabled. */
  readonly metricsPort: number
  readonly metricsHost: string
  readonly trustProxy: boolean | readonly string[]
  readonly tlsCert?: string | undefined
}

/**
 * Decides between HTTPS and plain HTTP. Plain HTTP is only allowed on loopback, or behind a trusted proxy that terminates
 * TLS.
 *
 * @throws ConfigError if plain HTTP is not allowed, or for contradictory settings
 */
export function listenPlan(options: ListenOptions): 'https' | 'http' {
  const { plainHttp, host, port, metricsPort, metricsHost, trustProxy, tlsCert } = options
  const mistakes: string[] = []
  if (plainHttp && trustProxy === false && !isLoopback(host)) {
    mistakes.push(
      `Plain HTTP on ${host} would send API keys unencrypted over the network. Use TLS (unset MUSTER_PLAIN_HTTP), ` +
        'listen on this machine only (MUSTER_HOST=127.0.0.1), or, behind a proxy that terminates TLS, set the address ' +
        'of the proxy (MUSTER_TRUST_PROXY).',
    )
  }
  if (plainHttp && tlsCert !== undefined) {
    mistakes.push('MUSTER_PLAIN_HTTP and MUSTER_TLS_CERT exclude each other. Unset one of them.')
  }
  if (port === metricsPort && port !== 0 && overlap(host, metricsHost)) {
    mistakes.push(
      `MUSTER_PORT and MUSTER_METRICS_PORT are both ${port}. Use two ports, or disable the metrics (MUSTER_METRICS_PORT=0).`,
    )
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return plainHttp ? 'http' : 'https'
}

/** Returns true if two servers cannot listen on the hosts with the same port. */
function overlap(one: string, other: string): boolean {
  const [first, second] = [one, other].map((host) => (host === 'localhost' ? '127.0.0.1' : host))
  return isEverywhere(one) || isEverywhere(other) || first === second
}

/** Returns true if only this machine can connect to the address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
