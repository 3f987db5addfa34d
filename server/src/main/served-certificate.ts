import type { Server } from 'node:tls'
import type { Logger } from 'pino'
import { type ServerCertificate, tlsProtocol } from '../kernel/http/tls.ts'

/** Certificate of a server, which can be replaced while the server runs. */
export interface ServedCertificate {
  current(): ServerCertificate
  /** Loads certificate and key again for new connections. If they cannot be used, the ones in use stay. Never throws. */
  reload(server: Server): Promise<void>
}

/**
 * Loads the certificate of a server.
 *
 * @param load reads certificate and key
 * @throws whatever `load` throws the first time
 */
export async function servedCertificate(
  load: () => Promise<ServerCertificate>,
  log: Pick<Logger, 'info' | 'error'>,
): Promise<ServedCertificate> {
  let current = await load()
  return {
    current: () => current,
    reload: async (server) => {
      try {
        const next = await load()
        server.setSecureContext({ cert: next.cert, key: next.key, ...tlsProtocol })
        current = next
        const { fingerprint256, expires } = next
        log.info({ fingerprint256, expires }, 'SIGHUP: certificate and key were loaded again')
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        log.error({ reason }, 'SIGHUP: certificate and key cannot be used, the ones before stay in use')
      }
    },
  }
}
