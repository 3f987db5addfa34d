import type { Finding } from '@muster/contract/finding'

interface Advice {
  /** How urgent it is, as a color. */
  readonly tone: 'critical' | 'high' | 'medium'
  readonly meaning: string
  /** What an administrator does. */
  readonly remedy: string
  /** What the employee is asked to do. */
  readonly request: string
  /** True if the account needs another password. */
  readonly changesPassword?: true
}

/** What a kind of finding means, and what to do about it (domain contract, section 5). */
export const findingAdvice: Readonly<Record<Finding['type'], Advice>> = {
  MFA_NOT_REGISTERED: {
    tone: 'high',
    meaning: 'The last sign-ins by password were made without a second step: whoever has the password is in.',
    remedy:
      'Ask the employee to set up a second factor in the app, or require it there. It resolves when one is seen.',
    request: 'Please set up a second factor there: an authenticator app, a passkey or a security key.',
  },
  REUSED_PASSWORD: {
    tone: 'high',
    meaning:
      'The same password opens accounts of more than one app: who learns it in one place has the others.',
    remedy:
      'Ask the employee to change it in one of them, with a password manager. It resolves at the next sign-in.',
    request:
      'You use the same password in more than one place. Please give this account one of its own, made by your password manager.',
    changesPassword: true,
  },
  SHARED_ACCOUNT: {
    tone: 'medium',
    meaning: 'More than one person has used this account in the last 90 days: nobody can tell who did what.',
    remedy: 'Give each person an account of their own, or sign in by single sign-on.',
    request: 'Several people use this account. Please ask for one of your own.',
  },
  UNUSED_THIRD_PARTY_APP: {
    tone: 'medium',
    meaning: 'The account signs in with the identity of another, and has not been used for 90 days.',
    remedy: 'Close the account, and take the access away at the identity provider.',
    request:
      'You have not used this account for a long time. Please close it, or tell us that you still need it.',
  },
  WEAK_PASSWORD: {
    tone: 'high',
    meaning: 'The password is easy to guess.',
    remedy: 'Ask the employee to change it. It resolves when a better one is used.',
    request: 'The password there is easy to guess. Please change it to one made by your password manager.',
    changesPassword: true,
  },
  LEAKED_PASSWORD: {
    tone: 'critical',
    meaning: 'The password is in a public collection of leaked passwords, so it is tried first by attackers.',
    remedy: 'Ask the employee to change it at once, everywhere it is used.',
    request:
      'The password there is known to attackers. Please change it today, there and wherever else you use it.',
    changesPassword: true,
  },
  PASSWORD_MANAGER_NOT_USED: {
    tone: 'medium',
    meaning: 'Four of the last five passwords were typed by hand, which leads to short and repeated ones.',
    remedy: 'Help the employee to set up the password manager of the organization.',
    request:
      'Please let the password manager of the organization keep and fill in your passwords. We help you to set it up.',
  },
  STOLEN_CREDENTIALS: {
    tone: 'critical',
    meaning:
      'Address and password of this account are in a feed of stolen credentials: somebody may be in already.',
    remedy: 'Have the password changed and all sessions of the account ended now, then look at its activity.',
    request: 'The password there was stolen. Please change it now, sign out everywhere, and call us.',
    changesPassword: true,
  },
}
