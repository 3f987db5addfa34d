import type { SignInControl } from '../logins/login-messages.ts'
import { deepAll, isUsable } from './deep-dom.ts'
import { saysBackToSignIn } from './words/form-words.ts'
import { plainText } from './words/word-list.ts'

/** Names of controls that lead to a sign-in, in the most common UI languages; lower case. */
const signInNames: ReadonlySet<string> = new Set([
  'sign in',
  'signin',
  'log in',
  'login',
  'sign in again',
  'log in again',
  'anmelden',
  'einloggen',
  'se connecter',
  'connexion',
  'iniciar sesión',
  'ingresar',
  'entrar',
  'iniciar sessão',
  'fazer login',
  'accedi',
  'inloggen',
  'aanmelden',
  'zaloguj',
  'zaloguj się',
  'войти',
  'вход',
  'увійти',
  'giriş',
  'giriş yap',
  'oturum aç',
  'ログイン',
  'サインイン',
  '로그인',
  '登录',
  '登入',
  'logga in',
  'log ind',
  'logg inn',
  'přihlásit se',
  'تسجيل الدخول',
  'đăng nhập',
  'masuk',
])

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

const controlName = (element: Element) =>
  tidy(element.getAttribute('aria-label') ?? element.textContent ?? '')

/** Maximum length of the name of such a control. */
const nameMaximum = 60

/**
 * Returns the kind of a visible control that leads to a sign-in. `SIGN_IN`: outside forms, with exactly this name, so
 * nobody is signed in. `BACK_TO_SIGN_IN`: the sign-in is not finished.
 */
export function signInControl(): SignInControl | null {
  const controls = deepAll(document, 'a, button, [role="button"]')
  const isSignIn = (element: Element) =>
    signInNames.has(controlName(element)) && !element.closest('form') && isUsable(element)
  if (controls.some(isSignIn)) return 'SIGN_IN'
  const leadsBack = (element: Element) => {
    const name = controlName(element)
    return name.length <= nameMaximum && saysBackToSignIn(plainText(name)) && isUsable(element)
  }
  return controls.some(leadsBack) ? 'BACK_TO_SIGN_IN' : null
}
