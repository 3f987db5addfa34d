import type { DeprecationFacts } from '../api-versions/deprecate-version.ts'
import type { DeprecationDates } from '../api-versions/deprecation.rules.ts'
import type { Message, MessagePart } from './notice-layout.ts'
import type { KeyExpiryFacts, SwitchedOffFacts } from './queue-notices.ts'

/** Where and to whom a message goes. */
export interface MessagePlace {
  readonly organization: string
  /** `https://muster.example.com` */
  readonly publicUrl: string
}

/** A key as a message names it. */
export interface NamedKey {
  readonly name: string
  readonly start: string
}

/** `1 June 2027`, or `1 June 2027 at 18:00 UTC` when it is not the beginning of a day. */
export function dateInWords(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000)
  const day = date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  const time = date.toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: 'UTC' })
  return unixSeconds % 86_400 === 0 ? day : `${day} at ${time} UTC`
}

const keyList = (keys: readonly NamedKey[]): MessagePart => ({
  list: keys.map(({ name, start }) => `${name} (begins with ${start})`),
})

const endOf = ({ sunsetTimestamp }: DeprecationDates): string =>
  sunsetTimestamp === null ? 'not decided yet' : dateInWords(sunsetTimestamp)

/** Tells the holder of keys from when on a version is deprecated. */
export function deprecationMessage(
  facts: DeprecationFacts,
  keys: readonly NamedKey[],
  { organization, publicUrl }: MessagePlace,
): Message {
  const { version, deprecationTimestamp, sunsetTimestamp, replaced } = facts
  const from = dateInWords(deprecationTimestamp)
  const earlier = replaced
    ? [
        `This replaces an earlier announcement: ${dateInWords(replaced.deprecationTimestamp)}, end ${endOf(replaced)}.`,
      ]
    : []
  const until =
    sunsetTimestamp === null
      ? `Until further notice ${version} goes on working; you will be told when its end is decided.`
      : `Until ${dateInWords(sunsetTimestamp)} ${version} goes on working; do not count on it after that.`
  return {
    subject: `Muster API ${version} is deprecated from ${from}`,
    parts: [
      `Hello,`,
      `version ${version} of the Muster API is deprecated from ${from}. This concerns the API keys that you hold in the organization ${organization}: they are named below.`,
      ...earlier,
      {
        facts: [
          ['Version', version],
          ['Deprecated from', from],
          ['Ends', endOf(facts)],
          ['Server', publicUrl],
        ],
      },
      'Your keys that work today:',
      keyList(keys),
      `What to do: find the programs that use these keys, and move them to the newer version of the API ${sunsetTimestamp === null ? 'soon' : 'before that day'}. Keys that nothing uses any more can be revoked. ${until}`,
      { link: `${publicUrl}/docs/versions/${version}`, says: `About the end of ${version}` },
    ],
  }
}

/** Tells whoever was told of a deprecation that it does not take place. */
export const withdrawalMessage = (
  { version, deprecationTimestamp }: DeprecationFacts,
  { organization, publicUrl }: MessagePlace,
): Message => ({
  subject: `Muster API ${version} is not deprecated after all`,
  parts: [
    'Hello,',
    `you were told that version ${version} of the Muster API is deprecated from ${dateInWords(deprecationTimestamp)}. That was taken back: ${version} goes on as before, for the organization ${organization} and for all of the server ${publicUrl}.`,
    'There is nothing that you have to do.',
  ],
})

/** Tells the holder of a key that it expires soon. */
export const expiryMessage = (
  { name, start, expiryTimestamp }: KeyExpiryFacts,
  { organization, publicUrl }: MessagePlace,
): Message => ({
  subject: `Your API key ${name} expires on ${dateInWords(expiryTimestamp)}`,
  parts: [
    'Hello,',
    `an API key that you hold in the organization ${organization} of Muster stops working soon.`,
    {
      facts: [
        ['Key', name],
        ['Begins with', start],
        ['Expires', dateInWords(expiryTimestamp)],
        ['Server', publicUrl],
      ],
    },
    'What to do: if a program still uses it, rotate the key in the console, or by muster keys rotate, and give the new one to the program. Otherwise there is nothing that you have to do.',
    { link: `${publicUrl}/console/keys`, says: 'The API keys in the console' },
  ],
})

/** Tells an administrator that a webhook was switched off. */
export const switchedOffMessage = (
  { webhookId, name, origin, timestamp }: SwitchedOffFacts,
  { organization, publicUrl }: MessagePlace,
): Message => ({
  subject: `The webhook ${name ?? origin} was switched off`,
  parts: [
    'Hello,',
    `a webhook of the organization ${organization} in Muster does not get events any more: too many of them could not be delivered.`,
    {
      facts: [
        ['Webhook', name ?? 'without a name'],
        ['Target', origin],
        ['Switched off', dateInWords(timestamp)],
        ['Reason', 'at least 95 % of the attempts of the last 24 hours failed'],
        ['Server', publicUrl],
      ],
    },
    'What waited for it is kept for 30 days, and is sent when the webhook is switched on again. What has failed in all of its attempts is kept as long, and has to be sent again. Events that happen while it is off are not kept for it; if another webhook gets them, they can be sent to this one, too.',
    'What to do: look at the delivery log, mend the receiver, switch the webhook on, and send again what has failed.',
    webhookId === undefined
      ? { link: `${publicUrl}/console/webhooks`, says: 'The webhooks in the console' }
      : { link: `${publicUrl}/console/webhooks/${webhookId}`, says: 'The webhook in the console' },
  ],
})
