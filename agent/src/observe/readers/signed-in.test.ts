import { expect, test, vi } from 'vitest'
import { frameWatch } from '../../loader/frame-watch.ts'
import { spellOut } from '../spell-out.ts'
import { frameWords } from '../words/frame-words.ts'
import { plainText } from '../words/word-list.ts'
import { isAccountMenu, isSignOut } from './signed-in.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

frameWatch().words = frameWords

const control = (text: string, path = '') => ({ text: plainText(text), path: spellOut(path) })

test.each([
  ['Sign out', ''],
  ['Log out', ''],
  ['', '/users/sign_out'],
  ['', '/account/LogOff'],
  ['', 'secur/logout.jsp'],
  ['Abmelden', ''],
  ['Déconnexion', ''],
  ['Cerrar sesión', ''],
  ['Terminar sessão', ''],
  ['Esci', ''],
  ['Uitloggen', ''],
  ['Wyloguj się', ''],
  ['Выйти', ''],
  ['Вийти', ''],
  ['Çıkış yap', ''],
  ['ログアウト', ''],
  ['退出登录', ''],
  ['登出', ''],
  ['로그아웃', ''],
  ['تسجيل الخروج', ''],
  ['लॉग आउट', ''],
])('%j with link %j signs out', (text, path) => {
  expect(isSignOut(control(text, path))).toBe(true)
})

test.each([
  ['Sign in', '/login'],
  ['Existing customers', ''],
  ['Blog', '/blog/outlook'],
  ['ログイン', ''],
])('%j with link %j does not sign out', (text, path) => {
  expect(isSignOut(control(text, path))).toBe(false)
})

test.each([
  'Account menu',
  'My profile',
  'Mein Konto',
  'Mon compte',
  'Mi cuenta',
  'マイページ',
  '个人中心',
  '내 정보',
])('%j is an account menu', (text) => {
  expect(isAccountMenu(control(text))).toBe(true)
  expect(isAccountMenu(control('Products'))).toBe(false)
})

test.each(['Create your account', 'Log in to your account', 'Mein Konto: anmelden'])(
  '%j is not an account menu',
  (text) => {
    expect(isAccountMenu(control(text))).toBe(false)
  },
)
