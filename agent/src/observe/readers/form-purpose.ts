import { saysNewUser, saysSave, saysSetUp } from '../words/form-words.ts'
import { saysSignIn, saysSignUp } from '../words/word-tests.ts'

/**
 * Purpose of a form. `FIRST_STEP` asks only for an identity, `CODE` only for a one-time code, `SET_PASSWORD` sets a
 * password without the present one (reset, invitation), `NEW_USER` creates a user for somebody else, `CONNECTION`
 * holds the address and credentials of another server, `SETUP` sets up a new installation.
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

/** What one form asks for and says. Words are normalized (`plainText`). */
export interface FormOutline {
  /** Fields that can be used. */
  readonly currentPasswords: number
  readonly newPasswords: number
  readonly identityFields: number
  readonly codeFields: number
  /** Other fields for text, and lists to choose from. */
  readonly otherFields: number
  /** Other fields for a server's address or port. */
  readonly serverFields: number
  /** Fields for a role, a group or rights. */
  readonly roleFields: number
  /** True if the page put an identity into the form itself, as into that of somebody's own profile. */
  readonly isPrefilled: boolean
  /** Text of its buttons that hand it in. */
  readonly buttons: string
  /** Headings of the form or right above it. */
  readonly title: string
  /** Title of the page. */
  readonly pageTitle: string
  /** Path of the page, spelled out. */
  readonly path: string
  /** True if the page has marks of somebody who is signed in. */
  readonly isSignedIn: boolean
}

/** Rules by purpose: the first that holds for a form with a password counts. */
const rules: readonly (readonly [FormPurpose, (form: FormOutline) => boolean])[] = [
  ['CHANGE_PASSWORD', ({ currentPasswords, newPasswords }) => currentPasswords > 0 && newPasswords > 0],
  [
    'CONNECTION',
    ({ serverFields, buttons, isSignedIn }) =>
      serverFields > 0 && !saysSignIn(buttons) && (isSignedIn || saysSave(buttons)),
  ],
  // Somebody's own profile, with a password that may be changed on the way.
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
  // A page may call the only password of its login a new one, to keep browsers from filling it in.
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

/** Returns the purpose of a form from what it asks for and says. */
export function formPurpose(form: FormOutline): FormPurpose {
  if (form.currentPasswords + form.newPasswords > 0)
    return rules.find(([, holds]) => holds(form))?.[0] ?? 'SIGN_IN'
  if (form.codeFields > 0) return 'CODE'
  return isFirstStep(form) ? 'FIRST_STEP' : 'OTHER'
}
