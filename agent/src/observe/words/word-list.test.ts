import { expect, test } from 'vitest'
import { plainText, wordList, wordSearch } from './word-list.ts'

test.each([
  ['Code d’authentification', "code d'authentification"],
  ['  Ｌｏｇｉｎ\u00a0ID ', 'login id'],
  ['Contraseña', 'contrasena'],
  ['GİRİŞ', 'giris'],
  ['Hasło', 'haslo'],
  ['e\u2011mail', 'e-mail'],
  ['パスワード', 'パスワード'],
  ['الأمان', 'الامان'],
])('%j is normalized to %j', (text, plain) => {
  expect(plainText(text)).toBe(plain)
  expect(plainText(plain)).toBe(plain)
})

const words = wordList('sign in, user, парол*, 密码, *name, (wrong/bad)~code, # digits', 'senha*')

test.each([
  ['please sign-in', true],
  ['signin', true],
  ['signing', false],
  ['user7', true],
  ['users', false],
  ['забыли пароль?', true],
  ['请输入密码吧', true],
  ['nickname', true],
  ['names', false],
  ['wrong or old code', true],
  [`wrong ${'x'.repeat(80)} code`, false],
  ['6 digits', true],
  ['senhas', true],
  ['', false],
])('%j matches: %s', (text, has) => {
  expect(words(plainText(text))).toBe(has)
})

test('a search returns the position of the first match', () => {
  expect(wordSearch('two, one')('one two')).toBe(0)
  expect(wordSearch('two')('one')).toBe(-1)
})
