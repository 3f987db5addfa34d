import type { DeprecationFacts } from '../api-versions/deprecate-version.ts'
import type { DeprecationDates } from '../api-versions/deprecation.rules.ts'
import type { Message, MessagePart } from './notice-layout.ts'
import type { KeyExpiryFacts, WebhookDisabledFacts } from './queue-notices.ts'

/** Organization and server that a message is about. */
export interface MessageContext {
  readonly organization: string
  /** `https://muster.example.com` */
  readonly publicUrl: string
}

export interface NamedKey {
  readonly name: string
  readonly start: string
}

/** Formats a date as `1 June 2027`, or `1 June 2027 at 18:00 UTC` if it is not midnight. */
function longDate(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000)
  const day = date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  const time = date.toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: 'UTC' })
  return unixSeconds % 86_400 === 0 ? day : `${day} at ${time} UTC`
}

const keyList = (keys: readonly NamedKey[]): MessagePart => ({
  list: keys.map(({ name, start }) => `${name} (starts with ${start})`),
})

const endOf = ({ sunsetTimestamp }: DeprecationDates): string =>
  sunsetTimestamp === null ? 'not decided yet' : longDate(sunsetTimestamp)

/** Message to a key holder about the deprecation of an API version. */
export function deprecationMessage(
  facts: DeprecationFacts,
  keys: readonly NamedKey[],
  { organization, publicUrl }: MessageContext,
): Message {
  const { version, deprecationTimestamp, sunsetTimestamp, replaced } = facts
  const from = longDate(deprecationTimestamp)
  const earlier = replaced
    ? [
        `This replaces an earlier announcement (deprecated from ${longDate(replaced.deprecationTimestamp)}, end ${endOf(replaced)}).`,
      ]
    : []
  const until =
    sunsetTimestamp === null
      ? `${version} continues to work until further notice. We will let you know when an end date is decided.`
      : `${version} works until ${longDate(sunsetTimestamp)}. It may stop working after that.`
  return {
    subject: `Muster API ${version} is deprecated from ${from}`,
    parts: [
      `Hello,`,
      `Version ${version} of the Muster API is deprecated from ${from}. This affects the API keys listed below, which you hold in the organization ${organization}.`,
      ...earlier,
      {
        facts: [
          ['Version', version],
          ['Deprecated from', from],
          ['Ends', endOf(facts)],
          ['Server', publicUrl],
        ],
      },
      'Your active keys:',
      keyList(keys),
      `What to do: find the programs that use these keys and move them to a newer version of the API ${sunsetTimestamp === null ? 'soon' : 'before the end date'}. Revoke keys that are no longer used. ${until}`,
      { link: `${publicUrl}/docs/versions/${version}`, label: `About the deprecation of ${version}` },
    ],
  }
}

/** Message that a deprecation was canceled, to everyone who was notified of it. */
export const withdrawalMessage = (
  { version, deprecationTimestamp }: DeprecationFacts,
  { organization, publicUrl }: MessageContext,
): Message => ({
  subject: `Deprecation of Muster API ${version} canceled`,
  parts: [
    'Hello,',
    `We announced that version ${version} of the Muster API is deprecated from ${longDate(deprecationTimestamp)}. This was canceled: ${version} continues to work for the organization ${organization} and everyone else on ${publicUrl}.`,
    "You don't need to do anything.",
  ],
})

/** Message to a key holder that a key expires soon. */
export const expiryMessage = (
  { name, start, expiryTimestamp }: KeyExpiryFacts,
  { organization, publicUrl }: MessageContext,
): Message => ({
  subject: `Your API key ${name} expires on ${longDate(expiryTimestamp)}`,
  parts: [
    'Hello,',
    `One of your API keys in the Muster organization ${organization} expires soon.`,
    {
      facts: [
        ['Key', name],
        ['Starts with', start],
        ['Expires', longDate(expiryTimestamp)],
        ['Server', publicUrl],
      ],
    },
    'What to do: if a program still uses the key, rotate it in the console or with muster keys rotate, and give the new key to the program. Otherwise you can ignore this message.',
    { link: `${publicUrl}/console/keys`, label: 'View API keys' },
  ],
})

/** Message to an administrator that a webhook was disabled. */
export const webhookDisabledMessage = (
  { webhookId, name, origin, timestamp }: WebhookDisabledFacts,
  { organization, publicUrl }: MessageContext,
): Message => ({
  subject: `Webhook ${name ?? origin} was disabled`,
  parts: [
    'Hello,',
    `A webhook of the Muster organization ${organization} was disabled because too many deliveries failed.`,
    {
      facts: [
        ['Webhook', name ?? 'unnamed'],
        ['Target', origin],
        ['Disabled', longDate(timestamp)],
        ['Reason', 'at least 95 % of the attempts in the last 24 hours failed'],
        ['Server', publicUrl],
      ],
    },
    'Pending events are kept for 30 days and sent when you enable the webhook again. Events that failed all attempts are also kept for 30 days and must be sent again manually. Events that occur while the webhook is disabled are not sent later, unless another webhook receives them: then you can send them to this one, too.',
    'What to do: check the delivery log, fix the receiver, enable the webhook and send failed events again.',
    webhookId === undefined
      ? { link: `${publicUrl}/console/webhooks`, label: 'View webhooks' }
      : { link: `${publicUrl}/console/webhooks/${webhookId}`, label: 'View webhook' },
  ],
})
