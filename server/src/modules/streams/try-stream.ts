import { exampleEventOf } from '@muster/contract/events/event-objects'
import type { StreamKind } from '@muster/contract/events/stream-kinds'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import type { SettingsOf } from '../settings/settings-watch.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { shownTarget, streamsOf } from './stream-declarations.ts'

/** Result of sending an invented event. */
export interface StreamTrial {
  /** Receiver. */
  readonly target: string
  /** Undefined if the receiver took it. */
  readonly error: unknown
}

/** Sends an invented event to a receiver of an organization. Returns undefined if there is none. */
export type TryStream = (
  organization: { readonly no: number; readonly id: string },
  kind: StreamKind,
) => Promise<StreamTrial | undefined>

/** Shorter than that of real events, because a person waits. */
const timeoutMs = 10_000

/** @param guard checks the address if the receiver was set in the console */
export const tryStream =
  (settingsOf: SettingsOf, clock: Clock, hostname: string, guard: AddressGuard): TryStream =>
  async ({ no, id }, kind) => {
    const config = settingsOf(no)
    const stream = streamsOf(config).find((one) => one.kind === kind)
    if (!stream) return undefined
    const target = shownTarget(stream, config)
    const isOwn = config.sources[stream.setting] === 'console'
    const event = {
      ...exampleEventOf('LOGIN'),
      id: newId(clock.nowMs()),
      timestamp: unixSeconds(clock),
      description: 'This is a test event. Nothing happened.',
    }
    try {
      const options = { hostname, timeoutMs, guard: isOwn ? guard : undefined, isTrial: true }
      const made = stream.create(config, options)
      try {
        const result = await made.deliver([{ body: JSON.stringify(event), organizationId: id }])
        const refused = result && [...result.rejected, ...result.failed][0]
        return { target, error: refused && new Error(refused.reason) }
      } finally {
        await made.close()
      }
    } catch (error) {
      return { target, error }
    }
  }
