import { type Static, Type } from 'typebox'
import { closed, email, id, nullable, oneOf, text } from '../api/fields.ts'
import { roles } from '../console/console-operation.ts'

/** Actor of an AUDIT event (events contract, section 3). */

const source = <const S extends string>(name: S) =>
  Type.Literal(name, { description: 'The way in which it was done.', examples: [name] })

const connection = {
  sourceIpAddress: text('The IP address that it came from.', '203.0.113.7', 64),
  userAgent: nullable(
    text(
      'User agent of the client; null if unknown.',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
      8192,
    ),
  ),
}

export const UiActor = closed(
  {
    source: source('UI'),
    email: email('The e-mail address of the administrator.'),
    ...connection,
    role: oneOf(roles, 'Role of the administrator at that time.', 'OWNER'),
  },
  { description: 'An administrator, in the console.' },
)

export const UnprovenActor = closed(
  {
    source: source('UI'),
    email: nullable(email('The e-mail address that was given, which may be nobody’s; null if none was.')),
    ...connection,
  },
  { description: 'Somebody at the sign-in page of the console who has not proven who they are.' },
)
export type UnprovenActor = Static<typeof UnprovenActor>

export const ApiActor = closed(
  {
    source: source('API'),
    apiKeyName: text('The name of the API key.', 'siem', 128),
    apiKeyCreatedBy: text('The holder of the API key.', 'ada.byron@example.com', 254),
    ...connection,
  },
  { description: 'A program, by the API.' },
)

export const EmployeeActor = closed(
  {
    source: source('EMPLOYEE'),
    id: id('The employee.'),
    email: email('The e-mail address of the employee.'),
    ...connection,
  },
  { description: 'An employee, in a browser of theirs.' },
)

export const CliActor = closed(
  { source: source('CLI'), user: text('The user of the operating system.', 'muster', 256) },
  { description: 'Somebody at the command line of the server.' },
)

export const Actor = Type.Union([UiActor, UnprovenActor, ApiActor, EmployeeActor, CliActor], {
  description: 'Actor of the event.',
  examples: [
    {
      source: 'UI',
      email: 'ada.byron@example.com',
      sourceIpAddress: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
      role: 'OWNER',
    },
  ],
})
export type Actor = Static<typeof Actor>
