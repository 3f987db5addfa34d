import { expect, test } from 'vitest'
import { frameWatch } from '../loader/frame-watch.ts'
import { maySubmit, type PressFacts } from './press-kind.ts'
import { frameWords } from './words/frame-words.ts'
import { plainText } from './words/word-list.ts'

frameWatch().words = frameWords

const press = ({ text = '', ...facts }: Partial<PressFacts>): PressFacts => ({
  names: '',
  isSubmit: false,
  otherSubmit: '',
  ...facts,
  text: plainText(text),
})

const submit = (text: string) => press({ text, isSubmit: true })

test.each([
  'Sign in',
  'Sign up',
  'Register',
  'Create account',
  'Reset password',
  'S’inscrire',
  'Registrieren',
  '登録',
  '注册',
  '가입하기',
  'إنشاء حساب',
  'OK',
  '',
])('the button %j submits a password form', (text) => {
  expect(maySubmit(submit(text))).toBe(true)
})

test.each([
  'Cancel',
  'Back',
  'Forgot password?',
  'Show password',
  'Abbrechen',
  'Zurück',
  'Passwort vergessen?',
  'Annuler',
  'Mot de passe oublié ?',
  'Afficher le mot de passe',
  'Cancelar',
  '¿Olvidaste tu contraseña?',
  'Esqueci minha senha',
  'Annulla',
  'Password dimenticata?',
  'Annuleren',
  'Wachtwoord vergeten',
  'Anuluj',
  'Nie pamiętam hasła',
  'Отмена',
  'Забыли пароль?',
  'Скасувати',
  'İptal',
  'Şifremi unuttum',
  'キャンセル',
  'パスワードを忘れた方',
  'パスワードを表示',
  '取消',
  '忘记密码',
  '顯示密碼',
  '취소',
  '비밀번호 찾기',
  'إلغاء',
  'نسيت كلمة المرور',
  'रद्द करें',
  'पासवर्ड भूल गए',
])('%j never submits', (text) => {
  expect(maySubmit(submit(text))).toBe(false)
  expect(maySubmit(press({ text }))).toBe(false)
})

test.each<[string, Partial<PressFacts>, boolean]>([
  ['a drawn button', { text: 'Log in' }, true],
  ['an icon without words', { names: 'btn arrow' }, true],
  ['an icon that shows the password', { names: 'field eye icon' }, false],
  ['an icon that closes a dialog', { names: 'btn close' }, false],
  ['a link to the sign-up next to a login', { text: 'Create account', otherSubmit: 'sign in' }, false],
  ['a link to the login next to a sign-up', { text: 'Log in', otherSubmit: 'sign up' }, false],
  ['a sign-up without another button', { text: 'Sign up' }, true],
  ['a second login button with another wording', { text: 'Log in', otherSubmit: 'log in' }, true],
])('%s', (_, facts, may) => {
  expect(maySubmit(press(facts))).toBe(may)
})
