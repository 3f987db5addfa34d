import type { Logger } from 'pino'
import type { Services } from '../../kernel/http/bind.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { KeyDirectory } from '../api-keys/key-directory.ts'
import type { DeprecationWatch } from '../api-versions/deprecation-watch.ts'
import type { MailerOf } from '../notices/mailers.ts'
import type { SettingsWatch } from '../settings/settings-watch.ts'
import type { LeakedRange } from '../sign-in/password-policy.ts'
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts'
import type { FailedSignIns } from '../sign-in/sign-in-audit.ts'
import type { SignOn } from '../sign-in/sign-on-provider.ts'
import type { TryStream } from '../streams/try-stream.ts'
import type { TargetPolicy } from '../webhooks/delivery/target.rules.ts'
import type { Sender } from '../webhooks/delivery/webhook-sender.ts'

/** Dependencies of the console's handlers. */
export interface ConsoleParts {
  readonly db: Db
  readonly clock: Clock
  readonly keys: DerivedKeys
  readonly log: Logger
  /** Public base URL, for example `https://muster.example.com`. Passkeys are bound to its host. */
  readonly publicUrl: string
  readonly makeId: () => string
  readonly attempts: SignInAttempts
  readonly failedSignIns: FailedSignIns
  readonly mailerOf: MailerOf
  readonly leakedRange: LeakedRange | undefined
  /** Allowed webhook targets, and the sender of test events. */
  readonly webhooks: { readonly targetPolicy: TargetPolicy; readonly sender: Sender }
  /** Identity provider of administrators. */
  readonly signOn: SignOn
  /** Sends an invented event to the syslog receiver of an organization; undefined if there is none. */
  readonly tryStream: TryStream
  readonly keyDirectory: Pick<KeyDirectory, 'flush'>
  /** Notified when the dates of API versions change in this process. */
  readonly deprecations: DeprecationWatch
  /**
   * Returns the SHA-256 of the public key of a self-signed certificate, in base64; undefined if clients can
   * verify it.
   */
  certificatePin(): string | undefined
  /** Settings in effect. */
  readonly settings: Pick<SettingsWatch, 'of' | 'operator' | 'refresh'>
  /** Services behind `/v1`, with `records` as the member of lists. */
  readonly services: Services
}
