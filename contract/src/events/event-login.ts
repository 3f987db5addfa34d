import type { Static } from 'typebox'
import { loginTypes } from '../agent/agent-event.ts'
import { closed, email, flag, id, listOf, nullable, oneOf, text, timestamp, url } from '../api/fields.ts'
import { weakPasswordReasons } from '../records/finding.ts'
import { seenEvent } from './event-envelope.ts'
import { browserFields, employeeId, optionalAppType } from './event-fields.ts'

const judged = (description: string, example: boolean) =>
  nullable(flag(`${description}; null if no password was used, or that is not known.`, example))

/** Content of a login event (events contract, section 3). */
export const Login = closed(
  {
    employeeId,
    accountId: nullable(id('The account; null if the app is not used for work.')),
    appType: optionalAppType,
    appId: nullable(id('The app; null if it is not used for work.')),
    email: email('The e-mail address or user name that was used.'),
    loginTimestamp: timestamp('Time when it was; UNIX seconds.'),
    loginUrl: url('The address of the login page.', 'https://zapier.com/app/login'),
    passwordManuallyTyped: judged('True if the password was typed by hand', true),
    passwordManager: nullable(
      text('The password manager that filled it in; null if none is known.', '1PASSWORD', 64, 1),
    ),
    weakPassword: judged('True if the password is weak', true),
    weakPasswordReasons: nullable(
      listOf(
        oneOf(weakPasswordReasons, 'Reason why a password is weak.', 'TOO_SHORT'),
        'Reasons why the password is weak; null if it is not.',
        ['TOO_SHORT'],
        weakPasswordReasons.length,
      ),
    ),
    leakedPassword: judged('True if the password is known to have leaked', false),
    loginType: oneOf(loginTypes, 'Login method.', 'PASSWORD_LOGIN'),
    identityProvider: nullable(
      text('App type of the identity provider; null if none.', 'GOOGLE_WORKSPACE', 64, 1),
    ),
    ...browserFields,
    workApp: flag('True if the app is used for work. Other apps have no account records.'),
    passwordId: nullable(
      id('ID of the password: accounts with the same ID share it. Null without a password.'),
    ),
  },
  { $id: 'Login', description: 'A login that succeeded.' },
)
export type Login = Static<typeof Login>

export const activityEvents = {
  LOGIN: seenEvent({
    category: 'ACTIVITY',
    object: 'LOGIN',
    friendlyName: 'Login',
    description: 'An employee logged in to an app.',
    record: Login,
  }),
} as const
