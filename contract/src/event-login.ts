import type { Static } from 'typebox'
import { loginTypes } from './agent-event.ts'
import { seenEvent } from './event-envelope.ts'
import { browserFields, employeeId, optionalAppType } from './event-fields.ts'
import { closed, email, flag, id, listOf, nullable, oneOf, text, timestamp, url } from './fields.ts'
import { weakPasswordReasons } from './finding.ts'

const judged = (description: string, example: boolean) =>
  nullable(flag(`${description}; null if no password was used, or that is not known.`, example))

/** What an event tells of a login (events contract, section 3). */
export const Login = closed(
  {
    employeeId,
    accountId: nullable(id('The account; null if the app is not used for work.')),
    appType: optionalAppType,
    appId: nullable(id('The app; null if it is not used for work.')),
    email: email('The e-mail address or user name that was used.'),
    loginTimestamp: timestamp('When it was; UNIX seconds.'),
    loginUrl: url('The address of the login page.', 'https://zapier.com/app/login'),
    passwordManuallyTyped: judged('Whether the password was typed by hand', true),
    passwordManager: nullable(
      text('The password manager that filled it in; null if none is known.', '1PASSWORD', 64, 1),
    ),
    weakPassword: judged('Whether the password is weak', true),
    weakPasswordReasons: nullable(
      listOf(
        oneOf(weakPasswordReasons, 'Why a password is weak.', 'TOO_SHORT'),
        'Why the password is weak; null if it is not.',
        ['TOO_SHORT'],
        weakPasswordReasons.length,
      ),
    ),
    leakedPassword: judged('Whether the password is known to have leaked', false),
    loginType: oneOf(loginTypes, 'How it was done.', 'PASSWORD_LOGIN'),
    identityProvider: nullable(
      text('The identity provider as the catalog names it; null if none.', 'GOOGLE_WORKSPACE', 64, 1),
    ),
    ...browserFields,
    workApp: flag('Whether the app is one that is used for work: only then is there an account.'),
    passwordId: nullable(
      id('Names the password: accounts with equal ids share one. Null without a password.'),
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
