import type { SettingPageName } from '@muster/contract/console/console-settings'
import type { TestedStreamKind } from '@muster/contract/events/stream-kinds'

/** A test that a page of settings offers. */
export interface SettingTestTexts {
  readonly operation: 'sendTestMail' | 'testSignOn' | 'testStream'
  readonly action: string
  /** Receiver of the test event. */
  readonly kind?: TestedStreamKind
}

/** Texts of a page of settings. */
export interface SettingPageTexts {
  /** Last part of its path. */
  readonly id: string
  readonly page: SettingPageName
  readonly title: string
  /** Description on the page and in the list of pages. */
  readonly about: string
  /** Test of the saved settings. */
  readonly test?: SettingTestTexts
}

const sendTestEvent = (kind: TestedStreamKind): SettingTestTexts => ({
  operation: 'testStream',
  action: 'Send a test event',
  kind,
})

/** Pages of settings, in their order. */
export const settingPageTexts: readonly SettingPageTexts[] = [
  {
    id: 'mail',
    page: 'MAIL',
    title: 'Mail',
    about:
      'Mail server for invitations, notices and reports of this organization. Without one, mails are saved as files.',
    test: { operation: 'sendTestMail', action: 'Send a test mail' },
  },
  {
    id: 'sign-on',
    page: 'SIGN_ON',
    title: 'Single sign-on',
    about:
      'Identity provider (OpenID Connect) for administrators. Invite people first; passwords keep working. A provider that is set here signs in administrators of this organization only.',
    test: { operation: 'testSignOn', action: 'Test the identity provider' },
  },
  {
    id: 'streams',
    page: 'STREAMS',
    title: 'Event streams',
    about:
      'Syslog receiver for the events of this organization, and the choice of events for all receivers. Removing a receiver discards events that were not sent yet.',
    test: sendTestEvent('SYSLOG'),
  },
  {
    id: 'splunk',
    page: 'SPLUNK',
    title: 'Splunk',
    about: 'Sends the events of this organization to a Splunk HTTP Event Collector.',
    test: sendTestEvent('SPLUNK'),
  },
  {
    id: 'elastic',
    page: 'ELASTIC',
    title: 'Elasticsearch and OpenSearch',
    about: 'Sends the events of this organization to a data stream, in the Elastic Common Schema.',
    test: sendTestEvent('ELASTIC'),
  },
  {
    id: 'sentinel',
    page: 'SENTINEL',
    title: 'Microsoft Sentinel',
    about: 'Sends the events of this organization to a custom table of a Log Analytics workspace.',
    test: sendTestEvent('SENTINEL'),
  },
  {
    id: 'datadog',
    page: 'DATADOG',
    title: 'Datadog',
    about: 'Sends the events of this organization to Datadog Logs and Cloud SIEM.',
    test: sendTestEvent('DATADOG'),
  },
  {
    id: 'http',
    page: 'HTTP',
    title: 'Events over HTTP',
    about:
      'Sends the events of this organization as lines of JSON, for example to Vector, Logstash or Cribl.',
    test: sendTestEvent('HTTP'),
  },
  {
    id: 'retention',
    page: 'RETENTION',
    title: 'Retention',
    about:
      'Days after which records of this organization are deleted, once a day. Deleted records cannot be restored.',
  },
  {
    id: 'alerts',
    page: 'ALERTS',
    title: 'Alerts',
    about: 'Mails that this organization gets about its webhooks and API keys, and the time zone of digests.',
  },
]
