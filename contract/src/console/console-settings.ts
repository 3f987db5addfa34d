import { type Static, Type } from 'typebox'
import {
  closed,
  email,
  flag,
  id,
  listOf,
  lookup,
  nullable,
  oneOf,
  secret,
  text,
  timestamp,
} from '../api/fields.ts'
import { testedStreamKinds } from '../events/stream-kinds.ts'
import { organizationName } from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

/** Sources of setting values, in order of precedence. */
export const settingSources = ['flag', 'environment', 'muster.toml', 'console', 'default'] as const

/** Pages of settings that the console can change. */
export const settingPageNames = [
  'MAIL',
  'SIGN_ON',
  'STREAMS',
  'SPLUNK',
  'ELASTIC',
  'SENTINEL',
  'DATADOG',
  'HTTP',
  'RETENTION',
  'ALERTS',
] as const
export type SettingPageName = (typeof settingPageNames)[number]

/** Maximum length of a value. */
export const settingValueMaximum = 16_384

const settingName = text('Its name in muster.toml.', 'rate_limit_burst', 64)

const SettingInForce = closed(
  {
    name: settingName,
    environment: text('Its name in the environment.', 'MUSTER_RATE_LIMIT_BURST', 80),
    value: nullable(text('Its value, without secrets; null: unset.', '10', 2048)),
    source: oneOf(settingSources, 'Source of the value.', 'default'),
    help: text('Description of the setting.', 'requests on top of that which may come at once', 512),
  },
  { description: 'An effective setting.' },
)
export type SettingInForce = Static<typeof SettingInForce>

const PageSetting = closed(
  {
    name: text('Its name in muster.toml.', 'smtp_url', 64),
    environment: text('Its name in the environment.', 'MUSTER_SMTP_URL', 80),
    label: text('Title.', 'Mail server', 64),
    help: text('Description of the setting.', 'URL of the mail server', 512),
    allowed: text('Allowed values, to follow "must be".', 'a whole number from 31 to 3650', 512),
    value: nullable(
      text('Value in effect, without secrets; null: unset.', 'smtps://mail.example.com', settingValueMaximum),
    ),
    fallback: nullable(text('Default; null if it is unset by default.', '90', 256)),
    isSet: flag('True if a value other than the default is in effect.', true),
    secret: flag('True if the value is never shown.', false),
    source: oneOf(settingSources, 'Source of the value.', 'console'),
    setBy: nullable(
      text(
        'Setting of the operator that takes precedence; null if the console decides.',
        'MUSTER_SMTP_URL',
        96,
      ),
    ),
    changeable: flag('True if the caller may change it.', true),
    choices: listOf(text('A word.', 'json', 64), 'Allowed words; empty: others.', ['json', 'cef'], 100),
    many: flag('True if several words, separated by commas, are allowed.', false),
    lines: flag('True if a value has several lines.', false),
  },
  { description: 'A setting that owners can change.' },
)
export type PageSetting = Static<typeof PageSetting>

const SettingPage = closed(
  {
    page: oneOf(settingPageNames, 'Name of the page.', 'MAIL'),
    otherOrganization: flag(
      'True if only the first organization of the server has these settings, and the caller belongs to another.',
      false,
    ),
    settings: listOf(PageSetting, 'Settings of the page.', [], 20),
  },
  { description: 'Settings that belong together.' },
)
export type SettingPage = Static<typeof SettingPage>

const SettingPages = closed(
  {
    pages: listOf(SettingPage, 'All pages.', [], 20),
    redirectUri: text(
      'Redirect URI to register at the identity provider.',
      'https://muster.example.com/console/api/oidc/callback',
      2048,
    ),
  },
  { description: 'Settings that owners can change.' },
)

const SettingChange = closed(
  {
    name: lookup('Name in muster.toml.', 'smtp_url', 64, 1),
    value: nullable(
      secret(
        'New value, as the environment would have it; null: the default.',
        '180',
        settingValueMaximum,
        1,
      ),
    ),
  },
  { description: 'A change of one setting.' },
)

/** Result of a test. */
const TestResult = closed(
  {
    target: nullable(text('Server that was tried; null if none is set.', 'https://login.example.com', 2048)),
    works: flag('True if it works.', true),
    reason: nullable(text('Error; null if it works.', 'the connection was refused', 1024)),
  },
  { description: 'Result.' },
)

const Organization = closed(
  {
    id: id('ID of the organization.'),
    name: text('Name of the organization.', 'Example Inc.', 128),
    creationTimestamp: timestamp('Time when it was added.'),
  },
  { description: 'The organization.' },
)

/** Operations on settings. */
export const settingsOperations = {
  readSettings: consoleOperation({
    method: 'GET',
    path: '/console/api/settings',
    access: 'OWNER',
    sensitive: false,
    summary: 'Read the organization and the effective server settings.',
    response: closed(
      {
        organization: Organization,
        version: text('The version of the server.', '0.1.0', 64),
        settings: listOf(SettingInForce, 'The settings.', [], 200),
        mailWay: oneOf(['SMTP', 'FILE'], 'Delivery method.', 'FILE'),
        mailFrom: text('The sender of mails.', 'Muster <muster@example.com>', 320),
      },
      { description: 'The settings.' },
    ),
  }),
  changeOrganization: consoleOperation({
    method: 'PATCH',
    path: '/console/api/settings/organization',
    access: 'OWNER',
    sensitive: true,
    summary: 'Rename the organization.',
    body: closed({ name: organizationName }, { description: 'The change.' }),
    response: Organization,
  }),
  readSettingPages: consoleOperation({
    method: 'GET',
    path: '/console/api/settings/pages',
    access: 'OWNER',
    sensitive: false,
    summary: 'Read the settings that owners can change, with the values in effect for the organization.',
    response: SettingPages,
  }),
  changeSettings: consoleOperation({
    method: 'PATCH',
    path: '/console/api/settings/pages',
    access: 'OWNER',
    sensitive: true,
    bodyLimitBytes: 256 * 1024,
    summary: 'Change settings of the organization. All or none are changed.',
    body: closed(
      {
        changes: listOf(
          SettingChange,
          'Changes, one for each setting.',
          [{ name: 'smtp_url', value: null }],
          20,
          {
            minItems: 1,
          },
        ),
      },
      { description: 'The changes.' },
    ),
    response: SettingPages,
  }),
  testSignOn: consoleOperation({
    method: 'POST',
    path: '/console/api/settings/test-sign-on',
    access: 'OWNER',
    sensitive: true,
    summary: 'Fetch the discovery document of the identity provider.',
    response: TestResult,
  }),
  testStream: consoleOperation({
    method: 'POST',
    path: '/console/api/settings/test-stream',
    access: 'OWNER',
    sensitive: true,
    summary: 'Send an invented event to a receiver of events.',
    body: closed(
      { kind: oneOf(testedStreamKinds, 'Kind of the receiver.', 'SYSLOG') },
      { description: 'The receiver.' },
    ),
    response: TestResult,
  }),
  sendTestMail: consoleOperation({
    method: 'POST',
    path: '/console/api/settings/test-mail',
    access: 'OWNER',
    sensitive: true,
    summary: 'Send a test message to the signed-in administrator.',
    response: closed(
      {
        to: email('Recipient.'),
        sentBy: oneOf(['SMTP', 'FILE', 'FAILED'], 'Delivery method.', 'SMTP'),
        reason: Type.Union(
          [text('Response of the mail server.', '535 authentication failed', 512), Type.Null()],
          { description: 'Error; null if it was sent.' },
        ),
      },
      { description: 'Result.' },
    ),
  }),
} as const
