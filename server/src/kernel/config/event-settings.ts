import { eventCategories } from '@muster/contract/events/event-envelope'
import { eventObjects } from '@muster/contract/events/event-objects'
import {
  headerText,
  namesOf,
  oneOf,
  path,
  pemText,
  plainText,
  receiverUrl,
  redisServer,
  syslogReceiver,
  wholeNumber,
} from './config-kinds.ts'
import type { Setting } from './setting-declaration.ts'

/** Sign-in services of Microsoft: public, US government, China. The client secret goes nowhere else from the console. */
const microsoftLogins = [
  'https://login.microsoftonline.com',
  'https://login.microsoftonline.us',
  'https://login.partner.microsoftonline.cn',
] as const

/** Settings of the event streams. */
export const eventSettings = {
  eventsFile: {
    kind: path,
    help: 'file to write events to, one per line',
    console: { page: 'STREAMS', label: 'File', changeable: false },
  },
  eventsFileMaxMib: {
    kind: wholeNumber(1, 100_000),
    fallback: '100',
    help: 'size in MiB at which the events file is rotated',
  },
  eventsFileKeep: {
    kind: wholeNumber(1, 1000),
    fallback: '10',
    help: 'number of rotated events files to keep',
  },
  eventsSyslogUrl: {
    kind: syslogReceiver,
    help: 'syslog receiver to send events to, such as tls://siem.example.com:6514',
    console: { page: 'STREAMS', label: 'Syslog receiver' },
  },
  eventsSyslogCa: {
    kind: path,
    help: 'PEM file of the certificate authorities to trust for syslog, instead of the system defaults',
    console: {
      page: 'STREAMS',
      label: 'Certificate authority of the receiver',
      kind: pemText('CERTIFICATE'),
    },
  },
  eventsSyslogCert: {
    kind: path,
    help: 'PEM file of the client certificate for syslog; needs the key',
    console: { page: 'STREAMS', label: 'Client certificate', kind: pemText('CERTIFICATE') },
  },
  eventsSyslogKey: {
    kind: path,
    help: 'PEM file of the private key of the client certificate',
    console: {
      page: 'STREAMS',
      label: 'Private key of the client certificate',
      kind: pemText('PRIVATE KEY'),
      secret: true,
    },
  },
  eventsFormat: {
    kind: oneOf('json', 'cef', 'ocsf'),
    fallback: 'json',
    help: 'format of events in the file, in syslog and over HTTP',
    console: { page: 'STREAMS', label: 'Format' },
  },
  eventsCategories: {
    kind: namesOf('categories', eventCategories),
    help: 'event categories to write and send; default: all events, unless objects are set',
    console: { page: 'STREAMS', label: 'Categories' },
  },
  eventsObjects: {
    kind: namesOf('objects of events', eventObjects),
    help: 'event objects to write and send, in addition to the categories',
    console: { page: 'STREAMS', label: 'Objects' },
  },
  eventsCa: {
    kind: path,
    help: 'PEM file of additional certificate authorities to trust for all receivers of events except syslog',
  },
  eventsSplunkUrl: {
    kind: receiverUrl,
    help: 'URL of the Splunk HTTP Event Collector, such as https://splunk.example.com:8088',
    needs: ['eventsSplunkToken'],
    console: { page: 'SPLUNK', label: 'HTTP Event Collector' },
  },
  eventsSplunkToken: {
    kind: headerText,
    help: 'token of the HTTP Event Collector',
    secret: 'whole',
    needs: ['eventsSplunkUrl'],
    console: { page: 'SPLUNK', label: 'Token', sentTo: 'eventsSplunkUrl' },
  },
  eventsSplunkIndex: {
    kind: plainText,
    help: 'Splunk index; default: that of the token',
    needs: ['eventsSplunkUrl'],
    console: { page: 'SPLUNK', label: 'Index' },
  },
  eventsElasticUrl: {
    kind: receiverUrl,
    help: 'URL of Elasticsearch or OpenSearch, such as https://elastic.example.com:9200',
    console: { page: 'ELASTIC', label: 'Elasticsearch or OpenSearch' },
  },
  eventsElasticUser: {
    kind: plainText,
    help: 'user, if the secret is a password; default: the secret is an API key',
    needs: ['eventsElasticUrl', 'eventsElasticSecret'],
    console: { page: 'ELASTIC', label: 'User' },
  },
  eventsElasticSecret: {
    kind: plainText,
    help: 'API key (encoded), or password of the user',
    secret: 'whole',
    needs: ['eventsElasticUrl'],
    console: { page: 'ELASTIC', label: 'API key or password', sentTo: 'eventsElasticUrl' },
  },
  eventsElasticIndex: {
    kind: plainText,
    fallback: 'logs-muster-default',
    help: 'data stream or index to write to',
    console: { page: 'ELASTIC', label: 'Data stream' },
  },
  eventsSentinelUrl: {
    kind: receiverUrl,
    help: 'logs ingestion endpoint of the data collection rule or endpoint, such as https://muster-abcd.westeurope-1.ingest.monitor.azure.com',
    needs: [
      'eventsSentinelRule',
      'eventsSentinelTenant',
      'eventsSentinelClientId',
      'eventsSentinelClientSecret',
    ],
    console: { page: 'SENTINEL', label: 'Logs ingestion endpoint' },
  },
  eventsSentinelRule: {
    kind: plainText,
    help: 'immutable ID of the data collection rule, such as dcr-0123456789abcdef0123456789abcdef',
    needs: ['eventsSentinelUrl'],
    console: { page: 'SENTINEL', label: 'Data collection rule' },
  },
  eventsSentinelStream: {
    kind: plainText,
    fallback: 'Custom-Muster_CL',
    help: 'stream of the data collection rule',
    console: { page: 'SENTINEL', label: 'Stream' },
  },
  eventsSentinelTenant: {
    kind: plainText,
    help: 'directory (tenant) ID',
    needs: ['eventsSentinelUrl'],
    console: { page: 'SENTINEL', label: 'Tenant ID' },
  },
  eventsSentinelClientId: {
    kind: plainText,
    help: 'application (client) ID of the app registration',
    needs: ['eventsSentinelUrl'],
    console: { page: 'SENTINEL', label: 'Client ID' },
  },
  eventsSentinelClientSecret: {
    kind: plainText,
    help: 'client secret of the app registration',
    secret: 'whole',
    needs: ['eventsSentinelUrl'],
    console: { page: 'SENTINEL', label: 'Client secret', sentTo: 'eventsSentinelUrl' },
  },
  eventsSentinelLogin: {
    kind: receiverUrl,
    fallback: microsoftLogins[0],
    help: 'sign-in service of Microsoft',
    console: { page: 'SENTINEL', label: 'Sign-in service', kind: oneOf(...microsoftLogins) },
  },
  eventsDatadogUrl: {
    kind: receiverUrl,
    help: 'log intake of the Datadog site, such as https://http-intake.logs.datadoghq.eu',
    needs: ['eventsDatadogKey'],
    console: { page: 'DATADOG', label: 'Log intake' },
  },
  eventsDatadogKey: {
    kind: headerText,
    help: 'Datadog API key',
    secret: 'whole',
    needs: ['eventsDatadogUrl'],
    console: { page: 'DATADOG', label: 'API key', sentTo: 'eventsDatadogUrl' },
  },
  eventsHttpUrl: {
    kind: receiverUrl,
    help: 'URL to send events to as lines of JSON',
    console: { page: 'HTTP', label: 'Receiver' },
  },
  eventsHttpAuthorization: {
    kind: headerText,
    help: 'value of the Authorization header, such as Bearer and a token',
    secret: 'whole',
    needs: ['eventsHttpUrl'],
    console: { page: 'HTTP', label: 'Authorization header', sentTo: 'eventsHttpUrl' },
  },
  eventsRedisUrl: {
    kind: redisServer,
    help: 'URL of a Redis or Valkey server whose stream gets the events',
    secret: 'password',
  },
  eventsRedisStream: { kind: plainText, fallback: 'muster:events', help: 'key of the Redis stream' },
  eventsRedisMaxLength: {
    kind: wholeNumber(0, 1_000_000_000),
    fallback: '1000000',
    help: 'number of events that the Redis stream keeps, approximately; 0: all',
  },
} as const satisfies Record<string, Setting>
