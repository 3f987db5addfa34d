import { isIPv4 } from 'node:net'
import { ConfigError } from '../lib/config-error.ts'
import { isEverywhere } from '../lib/net/origin-at.ts'

/** The settings that decide what is listened on, and whether plain HTTP may be served there. */
export interface ListenOptions {
  readonly plainHttp: boolean
  readonly host: string
  readonly port: number
  /** On 127.0.0.1; 0: none. */
  readonly metricsPort: number
  readonly trustProxy: boolean | readonly string[]
  readonly tlsCert?: string | undefined
}

/**
 * Whether to serve with TLS. Plain HTTP is only for connections that nobody else can listen to: on this machine, or from
 * a trusted proxy that ends TLS.
 *
 * @throws ConfigError if plain HTTP is asked for anywhere else, and for settings that contradict each other
 */
export function listenPlan(options: ListenOptions): 'https' | 'http' {
  const { plainHttp, host, port, metricsPort, trustProxy, tlsCert } = options
  const mistakes: string[] = []
  if (plainHttp && trustProxy === false && !isLoopback(host)) {
    mistakes.push(
      `Plain HTTP on ${host} would send API keys readably over the network. Serve TLS (leave out MUSTER_PLAIN_HTTP), ` +
        'or listen on this machine only (MUSTER_HOST=127.0.0.1), or, behind a proxy that ends TLS, name the address of ' +
        'that proxy (MUSTER_TRUST_PROXY).',
    )
  }
  if (plainHttp && tlsCert !== undefined) {
    mistakes.push(
      'MUSTER_PLAIN_HTTP serves without TLS, and so without the certificate in MUSTER_TLS_CERT: leave out one of the two.',
    )
  }
  if (port === metricsPort && port !== 0 && isAlsoAt127(host)) {
    mistakes.push(
      `MUSTER_PORT and MUSTER_METRICS_PORT are both ${port}: take two ports, or no metrics (MUSTER_METRICS_PORT=0).`,
    )
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return plainHttp ? 'http' : 'https'
}

/** Whether to listen on the host takes the port on 127.0.0.1, too. */
const isAlsoAt127 = (host: string): boolean => isEverywhere(host) || ['127.0.0.1', 'localhost'].includes(host)

/** Whether only this machine itself can connect to the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
