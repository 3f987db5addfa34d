import { type Static, Type } from 'typebox'
import { closed, email, id, listOf, nullable, oneOf, text, timestamp } from '../api/fields.ts'
import { organizationName } from './console-fields.ts'
import { consoleOperation } from './console-operation.ts'

/** Sources of setting values, in order of precedence. */
export const settingSources = ['flag', 'environment', 'muster.toml', 'default'] as const

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
