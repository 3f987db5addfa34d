import type { JsonSchema } from '@muster/contract/api/json-schema'

/**
 * The published formats of destinations, as far as messages use them, with nothing else allowed. Tests check messages by them.
 */

const object = (
  properties: Readonly<Record<string, unknown>>,
  optional: readonly string[] = [],
): JsonSchema =>
  ({
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  }) as unknown as JsonSchema

const constant = (value: unknown) => ({ const: value })
const string = (maxLength: number, minLength = 1) => ({ type: 'string', minLength, maxLength })
const list = (items: unknown, maxItems: number) => ({ type: 'array', minItems: 1, maxItems, items })

const plain = (maxLength: number) =>
  object({ type: constant('plain_text'), text: string(maxLength), emoji: { type: 'boolean' } })
const markdown = (maxLength: number) =>
  object({ type: constant('mrkdwn'), text: string(maxLength), verbatim: { type: 'boolean' } })

/** Message of Slack: docs.slack.dev/reference/block-kit/blocks. At most 50 blocks. */
export const slackMessage = object({
  text: string(40_000),
  blocks: list(
    {
      oneOf: [
        object({ type: constant('header'), text: plain(150) }),
        object({ type: constant('section'), text: { oneOf: [plain(3000), markdown(3000)] } }),
        object({ type: constant('context'), elements: list(plain(3000), 10) }),
        object({
          type: constant('actions'),
          elements: list(
            object({ type: constant('button'), text: plain(75), url: string(3000), action_id: string(255) }),
            25,
          ),
        }),
      ],
    },
    50,
  ),
})

const textBlock = object(
  {
    type: constant('TextBlock'),
    text: { type: 'string' },
    wrap: { type: 'boolean' },
    size: { enum: ['default', 'small', 'medium', 'large', 'extraLarge'] },
    weight: { enum: ['default', 'lighter', 'bolder'] },
    color: { enum: ['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention'] },
    isSubtle: { type: 'boolean' },
    spacing: { enum: ['default', 'none', 'small', 'medium', 'large', 'extraLarge', 'padding'] },
    separator: { type: 'boolean' },
  },
  ['wrap', 'size', 'weight', 'color', 'isSubtle', 'spacing', 'separator'],
)

/** Message of Teams with an Adaptive Card 1.2, which Teams on phones shows, too: adaptivecards.io/schemas/adaptive-card.json. At most 6 actions. */
export const adaptiveCardMessage = object({
  type: constant('message'),
  attachments: {
    ...list(
      object({
        contentType: constant('application/vnd.microsoft.card.adaptive'),
        contentUrl: { type: 'null' },
        content: object({
          $schema: string(100),
          type: constant('AdaptiveCard'),
          version: constant('1.2'),
          fallbackText: { type: 'string' },
          body: list(textBlock, 60),
          actions: list(
            object({ type: constant('Action.OpenUrl'), title: string(100), url: string(8192) }),
            6,
          ),
        }),
      }),
      1,
    ),
  },
})

/** Event of PagerDuty: the request of `POST /enqueue` in the published OpenAPI document of the Events API v2. */
export const pagerDutyEvent = object({
  routing_key: { type: 'string', pattern: '^[0-9A-Za-z]{32}$' },
  event_action: { enum: ['trigger', 'acknowledge', 'resolve'] },
  dedup_key: string(255),
  client: string(255),
  client_url: string(8192),
  links: list(object({ href: string(8192), text: string(255) }), 10),
  payload: object({
    summary: string(1024),
    timestamp: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
    severity: { enum: ['critical', 'warning', 'error', 'info'] },
    source: string(1024),
    component: string(255),
    group: { type: 'string' },
    class: string(255),
    custom_details: { type: 'object' },
  }),
})
