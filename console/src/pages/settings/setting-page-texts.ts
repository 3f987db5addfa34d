import type { SettingPageName } from '@muster/contract/console/console-settings'

/** Texts of a page of settings. */
export interface SettingPageTexts {
  /** Last part of its path. */
  readonly id: string
  readonly page: SettingPageName
  readonly title: string
  /** Description on the page and in the list of pages. */
  readonly about: string
  /** Test of the saved settings. */
  readonly test?: {
    readonly operation: 'sendTestMail' | 'testSignOn' | 'testStream'
    readonly action: string
  }
}

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
      'Syslog receiver for the events of this organization. Removing it discards events that were not sent yet.',
    test: { operation: 'testStream', action: 'Send a test event' },
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
