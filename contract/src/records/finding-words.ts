import type { findingTypes } from './finding.ts'

export type FindingType = (typeof findingTypes)[number]

/** Texts about a finding type. */
interface FindingWords {
  /** Name in the console. */
  readonly label: string
  /** Name at the start of an event description. */
  readonly eventName: string
  /** Urgency as a color. */
  readonly tone: 'critical' | 'high' | 'medium'
  readonly meaning: string
  /** Recommended action for administrators. */
  readonly remedy: string
  /** Request to the employee, for the e-mail. */
  readonly request: string
  /** True if the account needs a new password. */
  readonly changesPassword?: true
}

/** Names, meaning and recommended actions by finding type (domain contract, section 5). */
export const findingWords: Readonly<Record<FindingType, FindingWords>> = {
  MFA_NOT_REGISTERED: {
    label: 'No second factor',
    eventName: 'Missing MFA',
    tone: 'high',
    meaning: 'The last password sign-ins used no second factor. Anyone who has the password can sign in.',
    remedy:
      'Ask the employee to set up a second factor in the app, or require one there. This finding closes automatically once we see a second factor.',
    request:
      'Please set up a second factor for this account, such as an authenticator app, a passkey or a security key.',
  },
  REUSED_PASSWORD: {
    label: 'Reused password',
    eventName: 'Reused password',
    tone: 'high',
    meaning:
      'The same password is used for accounts in more than one app. Anyone who learns it in one app can sign in to the others.',
    remedy:
      'Ask the employee to set a different password in one of them, using a password manager. This finding closes automatically at the next sign-in.',
    request:
      'You use the same password in more than one place. Please set a unique password for this account with your password manager.',
    changesPassword: true,
  },
  SHARED_ACCOUNT: {
    label: 'Shared account',
    eventName: 'Shared use',
    tone: 'medium',
    meaning:
      'More than one person has used this account in the last 90 days, so actions cannot be attributed to one person.',
    remedy: 'Give each person their own account, or use single sign-on.',
    request: 'Several people use this account. Please ask for your own account.',
  },
  UNUSED_THIRD_PARTY_APP: {
    label: 'Unused connected app',
    eventName: 'Unused third-party access',
    tone: 'medium',
    meaning: 'The account signs in through an identity provider and has not been used for 90 days.',
    remedy: 'Close the account, and revoke its access at the identity provider.',
    request:
      'You have not used this account for a long time. Please close it, or let us know that you still need it.',
  },
  WEAK_PASSWORD: {
    label: 'Weak password',
    eventName: 'Weak password',
    tone: 'high',
    meaning: 'The password is easy to guess.',
    remedy:
      'Ask the employee to change it. This finding closes automatically once a stronger password is used.',
    request:
      'Your password for this account is easy to guess. Please set a new one with your password manager.',
    changesPassword: true,
  },
  LEAKED_PASSWORD: {
    label: 'Leaked password',
    eventName: 'Leaked password',
    tone: 'critical',
    meaning: 'The password is in a public collection of leaked passwords. Attackers try those first.',
    remedy: 'Ask the employee to change it immediately wherever it is used.',
    request:
      'Your password for this account is known to attackers. Please change it today, here and wherever else you use it.',
    changesPassword: true,
  },
  PASSWORD_MANAGER_NOT_USED: {
    label: 'Password manager not used',
    eventName: 'Logins without a password manager',
    tone: 'medium',
    meaning: 'Most of the recent passwords were typed by hand, which leads to short and reused passwords.',
    remedy: 'Help the employee set up the password manager of your organization.',
    request: 'Please let our password manager store and fill in your passwords. We can help you set it up.',
  },
  STOLEN_CREDENTIALS: {
    label: 'Stolen credentials',
    eventName: 'Stolen credentials',
    tone: 'critical',
    meaning:
      'The address and password of this account are in a feed of stolen credentials. Somebody may already have signed in.',
    remedy:
      'Have the employee change the password and end all sessions of the account now. Then review its activity.',
    request:
      'Your password for this account was stolen. Please change it now, sign out everywhere, and contact us.',
    changesPassword: true,
  },
}
