import { type Static, Type } from 'typebox'
import { closed, email, id, listOf, nullable, oneOf, text, timestamp, typedName } from '../fields.ts'
import { consoleOperation } from './console-operation.ts'

/** Where the value of a setting comes from, in the order in which they win. */
export const settingSources = ['flag', 'environment', 'muster.toml', 'default'] as const

const settingName = text('Its name in muster.toml.', 'rate_limit_burst', 64)

const SettingInForce = closed(
  {
    name: settingName,
    environment: text('Its name in the environment.', 'MUSTER_RATE_LIMIT_BURST', 80),
    value: nullable(text('Its value, without secrets; null: unset.', '10', 2048)),
    source: oneOf(settingSources, 'Where it comes from.', 'default'),
    help: text('What it is.', 'requests on top of that which may come at once', 512),
  },
  { description: 'A setting as it is in force.' },
)
export type SettingInForce = Static<typeof SettingInForce>

const Organization = closed(
  {
    id: id('The id of the organization.'),
    name: text('What it is called.', 'Example Inc.', 128),
    creationTimestamp: timestamp('When it was added.'),
  },
  { description: 'The organization.' },
)

/** How the server is set. */
export const settingsOperations = {
  readSettings: consoleOperation({
    method: 'GET',
    path: '/console/api/settings',
    access: 'OWNER',
    sensitive: false,
    summary: 'Read the organization, and the settings of the server that are in force.',
    response: closed(
      {
        organization: Organization,
        version: text('The version of the server.', '0.1.0', 64),
        settings: listOf(SettingInForce, 'The settings.', [], 200),
        mailWay: oneOf(['SMTP', 'FILE'], 'Where mails go.', 'FILE'),
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
    summary: 'Give the organization another name.',
    body: closed(
      { name: typedName('What it is called; no other organization has the name.', 'Example Inc.', 128) },
      { description: 'The change.' },
    ),
    response: Organization,
  }),
  sendTestMail: consoleOperation({
    method: 'POST',
    path: '/console/api/settings/test-mail',
    access: 'OWNER',
    sensitive: true,
    summary: 'Send a mail to the address of who is signed in.',
    response: closed(
      {
        to: email('Whom it was sent to.'),
        sentBy: oneOf(['SMTP', 'FILE', 'FAILED'], 'Where it went.', 'SMTP'),
        reason: Type.Union(
          [text('What the mail server said.', '535 authentication failed', 512), Type.Null()],
          { description: 'Why it could not be sent; null if it was.' },
        ),
      },
      { description: 'What became of it.' },
    ),
  }),
} as const
