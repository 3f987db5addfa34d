import type { SettingInForce } from '@muster/contract/console/console-settings'
import type { Logger } from 'pino'
import type { Sender } from '../events/deliver-send.ts'
import type { DeprecationWatch } from '../events/deprecation-watch.ts'
import type { Mailer } from '../events/mail.ts'
import type { TargetTerms } from '../events/target.rules.ts'
import type { RequestCounts } from '../features/api-keys/request-counts.ts'
import type { Services } from '../http/bind.ts'
import type { Clock } from '../lib/clock.ts'
import type { DerivedKeys } from '../lib/secret.ts'
import type { Db } from '../storage/sql.ts'
import type { Attempts } from './attempts.ts'
import type { LeakedRange } from './chosen-password.ts'
import type { FailedSignIns } from './sign-in-audit.ts'

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
  readonly webhooks: { readonly terms: TargetTerms; readonly sender: Sender }
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
