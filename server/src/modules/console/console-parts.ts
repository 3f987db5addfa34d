import type { SettingInForce } from '@muster/contract/console/console-settings'
import type { Logger } from 'pino'
import type { Services } from '../../kernel/http/bind.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { KeyDirectory } from '../api-keys/key-directory.ts'
import type { DeprecationWatch } from '../api-versions/deprecation-watch.ts'
import type { Mailer } from '../notices/mail.ts'
import type { LeakedRange } from '../sign-in/password-policy.ts'
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts'
import type { FailedSignIns } from '../sign-in/sign-in-audit.ts'
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
  readonly mailer: Mailer
  readonly leakedRange: LeakedRange | undefined
  /** Allowed webhook targets, and the sender of test events. */
  readonly webhooks: { readonly targetPolicy: TargetPolicy; readonly sender: Sender }
  /** Display name of the identity provider; undefined without single sign-on. */
  readonly oidcName: string | undefined
  readonly keyDirectory: Pick<KeyDirectory, 'flush'>
  /** Notified when the dates of API versions change in this process. */
  readonly deprecations: DeprecationWatch
  /**
   * Returns the SHA-256 of the public key of a self-signed certificate, in base64; undefined if clients can
   * verify it.
   */
  certificatePin(): string | undefined
  /** Server settings without secrets. */
  readonly settingsInForce: readonly SettingInForce[]
  /** Days without contact after which a browser is removed. */
  readonly silentBrowserDays: number
  /** Services behind `/v1`, with `records` as the member of lists. */
  readonly services: Services
}
