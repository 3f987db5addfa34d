import type { SettingInForce } from '@muster/contract/console/console-settings'
import type { Logger } from 'pino'
import type { Services } from '../../kernel/http/bind.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { RequestCounts } from '../api-keys/request-counts.ts'
import type { DeprecationWatch } from '../api-versions/deprecation-watch.ts'
import type { Mailer } from '../notices/mail.ts'
import type { Attempts } from '../sign-in/attempts.ts'
import type { LeakedRange } from '../sign-in/chosen-password.ts'
import type { FailedSignIns } from '../sign-in/sign-in-audit.ts'
import type { TargetPolicy } from '../webhooks/delivery/target.rules.ts'
import type { Sender } from '../webhooks/delivery/webhook-sender.ts'

/** What the console's handlers work with. */
export interface ConsoleParts {
  readonly db: Db
  readonly clock: Clock
  readonly keys: DerivedKeys
  readonly log: Logger
  /** Where people reach the server: `https://muster.example.com`. Passkeys are bound to its host. */
  readonly publicUrl: string
  readonly makeId: () => string
  readonly attempts: Attempts
  readonly failedSignIns: FailedSignIns
  readonly mailer: Mailer
  readonly leakedRange: LeakedRange | undefined
  /** Where webhooks may go, and what sends test events there. */
  readonly webhooks: { readonly targetPolicy: TargetPolicy; readonly sender: Sender }
  /** What single sign-on is called; undefined if it is not set up. */
  readonly oidcName: string | undefined
  readonly requestCounts: RequestCounts
  /** Told when the dates of the API's versions were changed here. */
  readonly deprecations: DeprecationWatch
  /** Returns the SHA-256 of the public key of a self-signed certificate, in base64; undefined if clients can verify it. */
  certificatePin(): string | undefined
  /** The settings of the server, without secrets. */
  readonly settingsInForce: readonly SettingInForce[]
  /** What `/v1` does, with `records` as the member of its lists. */
  readonly services: Services
}
