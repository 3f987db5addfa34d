import { expect, test } from 'vitest'
import { saysBackToSignIn } from './form-words.ts'
import { plainText } from './word-list.ts'

test.each([
  ['Back to sign in', true],
  ['← Back to Login', true],
  ['Return to the login page', true],
  ['Zurück zur Anmeldung', true],
  ['Retour à la connexion', true],
  ['Volver al inicio de sesión', true],
  ['Regresar a la página de inicio de sesión', true],
  ['Voltar para o login', true],
  ['Voltar para a tela de login', true],
  ['Torna al login', true],
  ['Вернуться ко входу', true],
  ['Вернуться на страницу входа', true],
  ['Girişe geri dön', true],
  ['Takaisin sisäänkirjautumiseen', true],
  ['ログイン画面に戻る', true],
  ['返回登录', true],
  ['العودة إلى تسجيل الدخول', true],
  ['Sign in', false],
  ['Back', false],
  ['Back to inbox', false],
  ['Backlog in progress', false],
  ['Voltar para a entrada', false],
])('a control named %s leads back to the sign-in: %s', (name, leadsBack) => {
  expect(saysBackToSignIn(plainText(name))).toBe(leadsBack)
})
