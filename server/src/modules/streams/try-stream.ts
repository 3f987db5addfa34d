import { exampleEventOf } from '@muster/contract/events/event-objects'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { SettingsOf } from '../settings/settings-watch.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { syslogTarget } from './streams.ts'

/** Result of sending an invented event. */
export interface StreamTrial {
  /** Syslog receiver. */
  readonly target: string
  /** Undefined if the receiver took it. */
  readonly error: unknown
}

/** Sends an invented event to the syslog receiver of an organization. Returns undefined if there is none. */
export type TryStream = (organization: {
  readonly no: number
  readonly id: string
}) => Promise<StreamTrial | undefined>

/** Shorter than that of real events, because a person waits. */
const timeoutMs = 10_000

/** @param guard checks the address if the receiver was set in the console */
export const tryStream =
  (settingsOf: SettingsOf, clock: Clock, hostname: string, guard: AddressGuard): TryStream =>
  async ({ no, id }) => {
    const config = settingsOf(no)
    const target = config.eventsSyslogUrl
    if (target === undefined) return undefined
    const isOwn = config.sources.eventsSyslogUrl === 'console'
    const event = {
      ...exampleEventOf('LOGIN'),
      id: newId(clock.nowMs()),
      timestamp: unixSeconds(clock),
      description: 'This is a test event. Nothing happened.',
    }
    try {
      const stream = syslogTarget(config, { hostname, timeoutMs, guard: isOwn ? guard : undefined })
      await stream?.deliver([{ body: JSON.stringify(event), organizationId: id }])
      return { target, error: undefined }
    } catch (error) {
      return { target, error }
    }
  }
