import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Services } from '../kernel/http/bind.ts'
import type { Clock } from '../kernel/lib/clock.ts'
import type { DerivedKeys } from '../kernel/lib/secrets/secret.ts'
import type { Db } from '../kernel/store/sql.ts'
import type { KeyDirectory } from '../modules/api-keys/key-directory.ts'
import type { DeprecationWatch } from '../modules/api-versions/deprecation-watch.ts'
import { consoleApiPrefix } from '../modules/console/console-bind.ts'
import { rangeService } from '../modules/credentials/range.ts'
import { mailersOf } from '../modules/notices/mailers.ts'
import type { SettingsWatch } from '../modules/settings/settings-watch.ts'
import { oidcCallbackPath } from '../modules/sign-in/oidc-client.ts'
import { createSignInAttempts } from '../modules/sign-in/sign-in-attempts.ts'
import { failedSignIns } from '../modules/sign-in/sign-in-audit.ts'
import { signOn } from '../modules/sign-in/sign-on-provider.ts'
import { tryStream } from '../modules/streams/try-stream.ts'
import { addressGuard } from '../modules/webhooks/delivery/address-guard.ts'
import { hostResolver } from '../modules/webhooks/delivery/resolve-host.ts'
import { type SenderOptions, webhookSender } from '../modules/webhooks/delivery/webhook-sender.ts'
import { registerConsole } from './register-console.ts'

/** Settings of the console. */
export interface ConsoleSettings {
  /** Allowed webhook targets; default: public addresses. */
  readonly webhooks?: SenderOptions | undefined
  /** Returns the SHA-256 of the public key of a self-signed certificate, in base64; undefined if clients can verify it. */
  readonly certificatePin?: (() => string | undefined) | undefined
  /** Called for every failed sign-in, for metrics. */
  readonly onFailedSignIn?: ((method: string) => void) | undefined
}

/** Adds the console to a server. Its resources are closed with the server. */
export async function serveConsole(
  app: FastifyInstance,
  options: {
    db: Db
    keys: DerivedKeys
    clock: Clock
    log: Logger
    makeId: () => string
    publicUrl: string
    dataDir: string
    rangeUrl: string | undefined
    keyDirectory: KeyDirectory
    deprecations: DeprecationWatch
    services: Services
    settings: SettingsWatch
    console: ConsoleSettings
  },
): Promise<void> {
  const { console, dataDir, rangeUrl, ...rest } = options
  const { db, keys, clock, publicUrl, makeId, settings } = rest
  const targetPolicy = console.webhooks ?? { allowPrivate: false }
  const resolver = hostResolver()
  const guard = addressGuard(targetPolicy, resolver)
  const webhooks = { targetPolicy, sender: webhookSender(targetPolicy) }
  const range = rangeService({ dataDir, rangeUrl, clock })
  const parts = {
    ...rest,
    attempts: createSignInAttempts(db, keys.consoleSecrets),
    failedSignIns: failedSignIns(db, console.onFailedSignIn),
    mailerOf: mailersOf(settings.of, { publicUrl, dataDir, nameOf: makeId, guard }),
    signOn: signOn(settings.of, `${publicUrl}${consoleApiPrefix}${oidcCallbackPath}`, guard),
    tryStream: tryStream(settings.of, clock, hostname(), guard),
    webhooks,
    leakedRange: (prefix: string) => range.lines(prefix),
    certificatePin: console.certificatePin ?? (() => undefined),
  }
  await app.register(async (scope) => registerConsole(scope, parts), {
    prefix: consoleApiPrefix,
  })
  app.addHook('onClose', async () => {
    webhooks.sender.close()
    resolver.close()
  })
}
