/** Kinds of event streams: one of each at most. */
export const streamKinds = [
  'FILE',
  'SYSLOG',
  'SPLUNK',
  'ELASTIC',
  'SENTINEL',
  'DATADOG',
  'HTTP',
  'REDIS',
] as const
export type StreamKind = (typeof streamKinds)[number]

/** Kinds that can be set and tested in the console. A file and Redis stay with the operator. */
export const testedStreamKinds = ['SYSLOG', 'SPLUNK', 'ELASTIC', 'SENTINEL', 'DATADOG', 'HTTP'] as const
export type TestedStreamKind = (typeof testedStreamKinds)[number]
