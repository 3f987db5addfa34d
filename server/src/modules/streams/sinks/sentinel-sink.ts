import { factsOf } from '../formats/event-facts.ts'
import { ReceiverError } from '../stream-target.ts'
import type { Post } from './http-post.ts'
import {
  type HttpSink,
  jsonOf,
  type RequestHeaders,
  retryAfterMs,
  type SinkEvent,
  statusReason,
  urlBelow,
} from './http-sink.ts'

export interface SentinelSettings {
  readonly eventsSentinelUrl: string
  readonly eventsSentinelRule: string
  readonly eventsSentinelStream: string
  readonly eventsSentinelTenant: string
  readonly eventsSentinelClientId: string
  readonly eventsSentinelClientSecret: string
  readonly eventsSentinelLogin: string
}

/** Scope of tokens, by the top-level domain of the sign-in service. */
const scopes: Readonly<Record<string, string>> = {
  us: 'https://monitor.azure.us/.default',
  cn: 'https://monitor.azure.cn/.default',
}
const publicScope = 'https://monitor.azure.com/.default'
/** A token is replaced when less than this is left of it, or a tenth of its lifetime. */
const renewBeforeMs = 300_000

interface Token {
  readonly headers: RequestHeaders
  /** Time at which it is replaced, by `performance.now()`. */
  readonly untilMs: number
}

/** Logs Ingestion API of Azure Monitor, which Microsoft Sentinel reads. A request may have 1 MB, also uncompressed. */
export function sentinelSink(settings: SentinelSettings, post: Post): HttpSink {
  const rule = encodeURIComponent(settings.eventsSentinelRule)
  const stream = encodeURIComponent(settings.eventsSentinelStream)
  const path = `/dataCollectionRules/${rule}/streams/${stream}?api-version=2023-01-01`
  let token: Token | undefined
  let fetching: Promise<Token> | undefined
  /** Requests in flight share one new token. */
  const currentToken = async (): Promise<Token> => {
    if (token && token.untilMs > performance.now()) return token
    fetching ??= requestToken(settings, post).finally(() => {
      fetching = undefined
    })
    token = await fetching
    return token
  }
  return {
    kind: 'SENTINEL',
    limits: { maxEvents: 1000, maxLength: 400_000, maxInFlight: 16 },
    maxRequestBytes: 1_000_000,
    contentType: 'application/json',
    frame: ['[', ',', ']'],
    encode: (event) => JSON.stringify(sentinelRow(event)),
    url: urlBelow(settings.eventsSentinelUrl, path),
    headers: async () => (await currentToken()).headers,
    renewHeaders: (refused) => {
      if (token?.headers === refused) token = undefined
      return true
    },
  }
}

/** OAuth 2.0 client credentials of the Microsoft identity platform. */
async function requestToken(settings: SentinelSettings, post: Post): Promise<Token> {
  const login = new URL(settings.eventsSentinelLogin)
  const response = await post({
    url: urlBelow(login.href, `/${encodeURIComponent(settings.eventsSentinelTenant)}/oauth2/v2.0/token`),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(
      new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: settings.eventsSentinelClientId,
        client_secret: settings.eventsSentinelClientSecret,
        scope: scopes[login.hostname.split('.').at(-1) ?? ''] ?? publicScope,
      }).toString(),
    ),
  })
  const answer = jsonOf(response)
  const text = answer?.access_token
  if (response.status !== 200 || typeof text !== 'string')
    throw new ReceiverError(`Microsoft gave no token: ${statusReason(response)}`, {
      retryAfterMs: retryAfterMs(response),
    })
  const lifetimeMs = 1000 * Number(answer?.expires_in ?? 0)
  const untilMs = performance.now() + lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 10)
  return { headers: { authorization: `Bearer ${text}` }, untilMs }
}

/** Row of the table. The columns are in the guide. */
function sentinelRow({ event, body, organizationId }: SinkEvent): object {
  const facts = factsOf(event)
  return {
    TimeGenerated: new Date(event.timestamp * 1000).toISOString(),
    EventId: event.id,
    OrganizationId: organizationId,
    Category: event.category,
    Object: event.object,
    Action: facts.action,
    Severity: facts.severity,
    Message: event.description,
    RecordId: facts.recordId,
    ActorEmail: facts.source?.email ?? facts.source?.name,
    TargetEmail: facts.target?.email ?? facts.target?.name,
    SourceIp: facts.sourceIpAddress,
    UserAgent: facts.userAgent,
    Url: facts.url,
    AppType: facts.appType,
    RawEvent: body,
  }
}
