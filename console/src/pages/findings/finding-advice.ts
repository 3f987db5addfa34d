import type { Finding } from '@muster/contract/finding'

/** What a kind of finding means, and what to do about it (domain contract, section 5). */
export const findingAdvice: Readonly<Record<Finding['type'], { meaning: string; remedy: string }>> = {
  MFA_NOT_REGISTERED: {
    meaning: 'The last sign-ins by password were made without a second step: whoever has the password is in.',
    remedy:
      'Ask the employee to set up a second factor in the app, or require it there. It resolves when one is seen.',
  },
  REUSED_PASSWORD: {
    meaning:
      'The same password opens accounts of more than one app: who learns it in one place has the others.',
    remedy:
      'Ask the employee to change it in one of them, with a password manager. It resolves at the next sign-in.',
  },
  SHARED_ACCOUNT: {
    meaning: 'More than one person has used this account in the last 90 days: nobody can tell who did what.',
    remedy: 'Give each person an account of their own, or sign in by single sign-on.',
  },
  UNUSED_THIRD_PARTY_APP: {
    meaning: 'The account signs in with the identity of another, and has not been used for 90 days.',
    remedy: 'Close the account, and take the access away at the identity provider.',
  },
  WEAK_PASSWORD: {
    meaning: 'The password is easy to guess.',
    remedy: 'Ask the employee to change it. It resolves when a better one is used.',
  },
  LEAKED_PASSWORD: {
    meaning: 'The password is in a public collection of leaked passwords, so it is tried first by attackers.',
    remedy: 'Ask the employee to change it at once, everywhere it is used.',
  },
  PASSWORD_MANAGER_NOT_USED: {
    meaning: 'Four of the last five passwords were typed by hand, which leads to short and repeated ones.',
    remedy: 'Help the employee to set up the password manager of the organisation.',
  },
  STOLEN_CREDENTIALS: {
    meaning:
      'Address and password of this account are in a feed of stolen credentials: somebody may be in already.',
    remedy: 'Have the password changed and all sessions of the account ended now, then look at its activity.',
  },
}
