import type { StreamSettings } from '../../server/src/modules/streams/stream-declarations.ts'
import {
  datadogBehavior,
  elasticBehavior,
  linesBehavior,
  type SinkBehavior,
  sentinelBehavior,
  splunkBehavior,
} from './sink-receiver.ts'

/** Settings without a receiver. */
export const noStreams: StreamSettings = {
  eventsFile: undefined,
  eventsFileMaxMib: 100,
  eventsFileKeep: 10,
  eventsSyslogUrl: undefined,
  eventsSyslogCa: undefined,
  eventsFormat: 'json',
  eventsCategories: undefined,
  eventsObjects: undefined,
}

/** Events and tokens that the receivers of a test treat in a special way. */
export interface SinkStates {
  /** IDs of events that are refused for what they contain. */
  readonly refused: Set<string>
  /** IDs of events for which Elasticsearch has no room. */
  readonly full: Set<string>
  /** Documents of Elasticsearch by ID. */
  readonly documents: Map<string, Record<string, unknown>>
  /** Tokens of Microsoft that are not accepted any more, and all that were issued. */
  readonly expired: Set<string>
  readonly issued: string[]
}

export const newSinkStates = (): SinkStates => ({
  refused: new Set(),
  full: new Set(),
  documents: new Map(),
  expired: new Set(),
  issued: [],
})

/** A kind of HTTP receiver with the settings for it. */
export interface SinkKind {
  behavior(states: SinkStates): SinkBehavior
  settings(url: string): Partial<StreamSettings>
  /** Settings with wrong credentials. */
  readonly wrong: Partial<StreamSettings>
}

const splunk = (acks?: { after: number }): SinkKind => ({
  behavior: ({ refused }) => splunkBehavior({ token: 'hec', refused, ...(acks && { acks }) }),
  settings: (url) => ({ eventsSplunkUrl: url, eventsSplunkToken: 'hec' }),
  wrong: { eventsSplunkToken: 'other' },
})

/** All kinds of HTTP receivers. */
export const sinkKinds = {
  'Splunk without acknowledgment': splunk(),
  'Splunk with acknowledgment': splunk({ after: 1 }),
  Elasticsearch: {
    behavior: (states) => elasticBehavior({ authorization: 'ApiKey key', ...states }),
    settings: (url) => ({
      eventsElasticUrl: url,
      eventsElasticSecret: 'key',
      eventsElasticIndex: 'logs-muster-default',
    }),
    wrong: { eventsElasticSecret: 'other' },
  },
  'Microsoft Sentinel': {
    behavior: (states) => sentinelBehavior({ secret: 'client secret', ...states }),
    settings: (url) => ({
      eventsSentinelUrl: url,
      eventsSentinelRule: 'dcr-1',
      eventsSentinelStream: 'Custom-Muster_CL',
      eventsSentinelTenant: 'tenant-1',
      eventsSentinelClientId: 'client',
      eventsSentinelClientSecret: 'client secret',
      eventsSentinelLogin: url,
    }),
    wrong: { eventsSentinelClientSecret: 'other' },
  },
  Datadog: {
    behavior: ({ refused }) => datadogBehavior({ key: 'dd', refused }),
    settings: (url) => ({ eventsDatadogUrl: url, eventsDatadogKey: 'dd' }),
    wrong: { eventsDatadogKey: 'other' },
  },
  'lines over HTTP': {
    behavior: ({ refused }) => linesBehavior({ authorization: 'Bearer t', refused }),
    settings: (url) => ({ eventsHttpUrl: `${url}/in`, eventsHttpAuthorization: 'Bearer t' }),
    wrong: { eventsHttpAuthorization: 'Bearer other' },
  },
} as const satisfies Readonly<Record<string, SinkKind>>
