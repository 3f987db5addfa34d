import { statSync } from 'node:fs'
import type { Server } from 'node:tls'
import type { Logger } from 'pino'
import { type ServerCertificate, tlsProtocol } from '../kernel/http/tls.ts'
import type { RepeatOptions } from '../kernel/jobs/background-jobs.ts'

/** Server certificate that can be replaced at runtime. */
export interface ServedCertificate {
  current(): ServerCertificate
  /** Reloads certificate and key for new connections. Keeps the current ones if the new ones are invalid. Never throws. */
  reload(server: Server, cause: 'SIGHUP' | 'files changed'): Promise<void>
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
    reload: async (server, cause) => {
      try {
        const next = await load()
        server.setSecureContext({ cert: next.cert, key: next.key, ...tlsProtocol })
        current = next
        const { fingerprint256, expires } = next
        log.info({ fingerprint256, expires }, `${cause}: certificate and key reloaded`)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        log.error({ reason }, `${cause}: certificate and key are invalid, the previous ones stay in use`)
      }
    },
  }
}

/** Interval of the checks for changed files. */
const watchEveryMs = 10_000

/**
 * Calls `onChange` when files have changed and then stayed the same for one interval: programs that renew a certificate write
 * it and its key one after the other. Polls, because links are swapped by certbot and Kubernetes, which file system events miss.
 */
export function certificateWatch(
  files: readonly string[],
  onChange: () => Promise<void>,
  everyMs = watchEveryMs,
): RepeatOptions {
  const state = (): string =>
    files
      .map((file) => statSync(file, { throwIfNoEntry: false }))
      .map((stats) => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : 'missing'))
      .join(', ')
  let loaded = state()
  let previous = loaded
  return {
    name: 'certificate files',
    everyMs,
    atStart: false,
    run: async () => {
      const now = state()
      if (now !== loaded && now === previous) {
        loaded = now
        await onChange()
      }
      previous = now
    },
  }
}
