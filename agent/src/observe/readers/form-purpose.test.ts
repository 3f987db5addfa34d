import { expect, test } from 'vitest'
import { frameWatch } from '../../loader/frame-watch.ts'
import { spellOut } from '../spell-out.ts'
import { frameWords } from '../words/frame-words.ts'
import { plainText } from '../words/word-list.ts'
import { type FormOutline, type FormPurpose, formPurpose } from './form-purpose.ts'

frameWatch().words = frameWords

const form = ({
  buttons = '',
  title = '',
  pageTitle = '',
  path = '',
  ...facts
}: Partial<FormOutline>): FormOutline => ({
  currentPasswords: 0,
  newPasswords: 0,
  identityFields: 0,
  codeFields: 0,
  otherFields: 0,
  serverFields: 0,
  roleFields: 0,
  isPrefilled: false,
  isSignedIn: false,
  ...facts,
  buttons: plainText(buttons),
  title: plainText(title),
  pageTitle: plainText(pageTitle),
  path: spellOut(path.replaceAll('/', ' ')),
})

const login = { currentPasswords: 1, identityFields: 1 }
const twice = { newPasswords: 2, identityFields: 1 }

test.each<[FormPurpose, string, Partial<FormOutline>]>([
  ['SIGN_IN', 'a login', { ...login, buttons: 'Log in' }],
  ['SIGN_IN', 'a login without words', login],
  ['SIGN_IN', 'the second page of a login', { currentPasswords: 1 }],
  [
    'SIGN_IN',
    'a login that labels its password as new',
    { newPasswords: 1, identityFields: 1, buttons: 'Sign in' },
  ],
  ['SIGN_IN', 'a login at a server of choice', { ...login, serverFields: 1, buttons: 'Login' }],
  ['SIGN_IN', 'a login below a path for users', { ...login, path: '/users/sign_in', buttons: 'Log in' }],
  ['FIRST_STEP', 'a question for an address alone', { identityFields: 1, title: 'Sign in', buttons: 'Next' }],
  [
    'FIRST_STEP',
    'the same with a matching page title',
    { identityFields: 1, pageTitle: 'Sign in', buttons: 'Send link' },
  ],
  ['FIRST_STEP', 'the same in Portuguese', { identityFields: 1, title: 'Fazer login' }],
  ['OTHER', 'an address for a newsletter', { identityFields: 1, buttons: 'Subscribe' }],
  ['OTHER', 'an address among others', { identityFields: 1, otherFields: 3, buttons: 'Sign in to pay' }],
  ['CODE', 'a code', { codeFields: 6 }],
  ['SIGN_UP', 'a password that is set twice', twice],
  ['SIGN_UP', 'a button that registers', { ...login, buttons: 'Register' }],
  ['SIGN_UP', 'a button that registers in Korean', { ...login, buttons: '회원가입' }],
  ['SIGN_UP', 'a title that does', { ...login, title: 'Create your account', buttons: 'Continue' }],
  ['SET_PASSWORD', 'an invitation', { newPasswords: 2, buttons: 'Save' }],
  ['CHANGE_PASSWORD', 'a password that replaces another', { currentPasswords: 1, newPasswords: 2 }],
  ['CHANGE_PASSWORD', 'a profile of somebody’s own', { ...twice, isSignedIn: true, isPrefilled: true }],
  ['NEW_USER', 'a user for somebody else', { ...twice, isSignedIn: true }],
  ['NEW_USER', 'the same with one password and a role', { ...login, isSignedIn: true, roleFields: 1 }],
  ['NEW_USER', 'the same by its title', { ...login, isSignedIn: true, title: 'Benutzer hinzufügen' }],
  ['NEW_USER', 'a role and a title, without marks', { ...twice, roleFields: 1, title: 'Add user' }],
  ['CONNECTION', 'a mail server', { ...login, serverFields: 2, isSignedIn: true, buttons: 'Save' }],
  ['CONNECTION', 'a server, without marks', { ...login, serverFields: 2, buttons: 'Speichern' }],
  ['SETUP', 'a first administrator', { ...twice, path: '/setup', buttons: 'Finish' }],
  ['OTHER', 'nothing of all this', { otherFields: 2 }],
])('%s: %s', (purpose, _, facts) => {
  expect(formPurpose(form(facts))).toBe(purpose)
})
