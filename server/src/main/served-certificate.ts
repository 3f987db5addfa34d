import type { Server } from 'node:tls'
import type { Logger } from 'pino'
import { type ServerCertificate, tlsProtocol } from '../kernel/http/tls.ts'

/** Server certificate that can be replaced at runtime. */
export interface ServedCertificate {
  current(): ServerCertificate
  /** Reloads certificate and key for new connections. Keeps the current ones if the new ones are invalid. Never throws. */
  reload(server: Server): Promise<void>
}

/**
 * Loads the server certificate.
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
        log.info({ fingerprint256, expires }, 'SIGHUP: certificate and key reloaded')
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        log.error({ reason }, 'SIGHUP: certificate and key are invalid, the previous ones stay in use')
      }
    },
  }
}
