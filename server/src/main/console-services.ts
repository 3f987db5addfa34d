import type { SettingInForce } from '@muster/contract/console/console-settings'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Services } from '../kernel/http/bind.ts'
import type { Clock } from '../kernel/lib/clock.ts'
import type { DerivedKeys } from '../kernel/lib/secrets/secret.ts'
import type { Db } from '../kernel/store/sql.ts'
import type { KeyDirectory } from '../modules/api-keys/key-directory.ts'
import type { DeprecationWatch } from '../modules/api-versions/deprecation-watch.ts'
import { removedAfterDays } from '../modules/browsers/browser-retention.ts'
import { consoleApiPrefix } from '../modules/console/console-bind.ts'
import { rangeService } from '../modules/credentials/range.ts'
import { mailer, mailSender } from '../modules/notices/mail.ts'
import type { OidcSettings } from '../modules/sign-in/oidc-client.ts'
import { createSignInAttempts } from '../modules/sign-in/sign-in-attempts.ts'
import { failedSignIns } from '../modules/sign-in/sign-in-audit.ts'
import { type SenderOptions, webhookSender } from '../modules/webhooks/delivery/webhook-sender.ts'
import { registerConsole } from './register-console.ts'

/** Settings of the console. */
export interface ConsoleSettings {
  readonly smtpUrl?: string | undefined
  /** Sender of e-mails; default: `muster@` and the host of the public URL. */
  readonly mailFrom?: string | undefined
  /** Single sign-on; undefined if disabled. */
  readonly oidc?: OidcSettings | undefined
  /** Allowed webhook targets; default: public addresses. */
  readonly webhooks?: SenderOptions | undefined
  /** Returns the SHA-256 of the public key of a self-signed certificate, in base64; undefined if clients can verify it. */
  readonly certificatePin?: (() => string | undefined) | undefined
  /** All settings of the server for display, without secrets. */
  readonly inForce?: readonly SettingInForce[]
  /** Days without contact after which a browser is removed; default: {@link removedAfterDays}. */
  readonly silentBrowserDays?: number | undefined
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
    settings: ConsoleSettings
  },
): Promise<void> {
  const { settings, dataDir, rangeUrl, ...rest } = options
  const { db, keys, clock, publicUrl, makeId } = rest
  const targetPolicy = settings.webhooks ?? { allowPrivate: false }
  const webhooks = { targetPolicy, sender: webhookSender(targetPolicy) }
  const range = rangeService({ dataDir, rangeUrl, clock })
  const parts = {
    ...rest,
    attempts: createSignInAttempts(db, keys.consoleSecrets),
    failedSignIns: failedSignIns(db, settings.onFailedSignIn),
    mailer: mailer({
      smtpUrl: settings.smtpUrl,
      from: mailSender(settings.mailFrom, publicUrl),
      dataDir,
      nameOf: makeId,
    }),
    webhooks,
    leakedRange: (prefix: string) => range.lines(prefix),
    oidcName: settings.oidc?.name,
    settingsInForce: settings.inForce ?? [],
    silentBrowserDays: settings.silentBrowserDays ?? removedAfterDays,
    certificatePin: settings.certificatePin ?? (() => undefined),
  }
  await app.register(async (scope) => registerConsole(scope, parts, settings.oidc), {
    prefix: consoleApiPrefix,
  })
  app.addHook('onClose', async () => webhooks.sender.close())
}
