import { saysNewUser, saysSave, saysSetUp } from '../words/form-words.ts'
import { saysSignIn, saysSignUp } from '../words/word-tests.ts'

/**
 * Purpose of a form. `FIRST_STEP` asks only for an identity, `CODE` only for a one-time code. `SET_PASSWORD` sets a
 * password without the current one (reset, invitation). `NEW_USER` creates a user for somebody else. `CONNECTION` holds
 * the address and credentials of another server. `SETUP` sets up a new installation.
 */
export type FormPurpose =
  | 'SIGN_IN'
  | 'FIRST_STEP'
  | 'SIGN_UP'
  | 'CODE'
  | 'CHANGE_PASSWORD'
  | 'SET_PASSWORD'
  | 'NEW_USER'
  | 'CONNECTION'
  | 'SETUP'
  | 'OTHER'

/** Fields and texts of a form. Words are normalized (`plainText`). */
export interface FormOutline {
  /** Number of usable fields. */
  readonly currentPasswords: number
  readonly newPasswords: number
  readonly identityFields: number
  readonly codeFields: number
  /** Number of other text fields and selections. */
  readonly otherFields: number
  /** Number of other fields for a server's address or port. */
  readonly serverFields: number
  /** Number of fields for a role, a group or permissions. */
  readonly roleFields: number
  /** True if the page filled in an identity itself, as in a user's own profile. */
  readonly isPrefilled: boolean
  /** Text of its submit buttons. */
  readonly buttons: string
  /** Headings in or right above the form. */
  readonly title: string
  /** Title of the page. */
  readonly pageTitle: string
  /** Path of the page, split into words. */
  readonly path: string
  /** True if the page has marks of a signed-in user. */
  readonly isSignedIn: boolean
}

/** Rules by purpose; the first one that matches a form with a password wins. */
const rules: readonly (readonly [FormPurpose, (form: FormOutline) => boolean])[] = [
  ['CHANGE_PASSWORD', ({ currentPasswords, newPasswords }) => currentPasswords > 0 && newPasswords > 0],
  [
    'CONNECTION',
    ({ serverFields, buttons, isSignedIn }) =>
      serverFields > 0 && !saysSignIn(buttons) && (isSignedIn || saysSave(buttons)),
  ],
  // Own profile of the user, with an optional password change.
  [
    'CHANGE_PASSWORD',
    ({ isSignedIn, newPasswords, identityFields, isPrefilled }) =>
      isSignedIn && newPasswords > 0 && (identityFields === 0 || isPrefilled),
  ],
  [
    'NEW_USER',
    ({ isSignedIn, identityFields, roleFields, newPasswords, ...words }) =>
      identityFields > 0 &&
      !saysSignIn(words.buttons) &&
      (isSignedIn
        ? newPasswords > 0 || roleFields > 0 || saysNewUser(words.title) || saysNewUser(words.buttons)
        : roleFields > 0 && (saysNewUser(words.title) || saysNewUser(words.buttons))),
  ],
  [
    'SETUP',
    ({ isSignedIn, identityFields, ...words }) =>
      !isSignedIn &&
      identityFields > 0 &&
      !saysSignIn(words.buttons) &&
      !saysSignUp(words.buttons) &&
      [words.title, words.path, words.buttons].some(saysSetUp),
  ],
  // Some pages label the only password of their login as new, to keep browsers from filling it in.
  [
    'SIGN_IN',
    ({ newPasswords, identityFields, buttons }) =>
      newPasswords === 1 && identityFields > 0 && saysSignIn(buttons) && !saysSignUp(buttons),
  ],
  ['SET_PASSWORD', ({ newPasswords, identityFields }) => newPasswords > 0 && identityFields === 0],
  ['SIGN_UP', ({ newPasswords }) => newPasswords > 0],
  ['SIGN_UP', ({ buttons }) => saysSignUp(buttons) && !saysSignIn(buttons)],
  [
    'SIGN_UP',
    ({ title, path, buttons, identityFields }) =>
      identityFields > 0 &&
      (saysSignUp(title) || saysSignUp(path)) &&
      ![title, path, buttons].some(saysSignIn),
  ],
  ['SIGN_IN', () => true],
]

const isFirstStep = ({ identityFields, otherFields, isSignedIn, ...words }: FormOutline) =>
  identityFields === 1 &&
  otherFields === 0 &&
  !isSignedIn &&
  [words.title, words.pageTitle, words.buttons, words.path].some(saysSignIn)

/** Returns the purpose of a form. */
export function formPurpose(form: FormOutline): FormPurpose {
  if (form.currentPasswords + form.newPasswords > 0)
    return rules.find(([, holds]) => holds(form))?.[0] ?? 'SIGN_IN'
  if (form.codeFields > 0) return 'CODE'
  return isFirstStep(form) ? 'FIRST_STEP' : 'OTHER'
}
