import { deepAll, isUsable } from './deep-dom.ts'

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

/** Returns true if a visible control outside forms is named exactly "Sign in", which means that nobody is signed in. */
export function hasSignInControl(): boolean {
  return deepAll(document, 'a, button, [role="button"]').some(
    (element) => signInNames.has(controlName(element)) && !element.closest('form') && isUsable(element),
  )
}
