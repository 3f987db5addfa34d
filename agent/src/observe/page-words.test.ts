import { expect, test } from 'vitest'
import { frameWatch } from '../loader/frame-watch.ts'
import {
  asksForCode,
  asksForPerson,
  confirmsAddress,
  messageKind,
  refusesPassword,
  saysFailure,
  secondStepOf,
} from './page-words.ts'
import { frameWords } from './words/frame-words.ts'

frameWatch().words = frameWords

test.each([
  ['incorrect username or password.', true],
  ['the password you entered is incorrect', true],
  ['your email and password do not match', true],
  ["email and password don't match our records", true],
  ['login failed', true],
  ["we couldn't sign you in", true],
  ['your account has been locked', true],
  ['too many failed attempts. try again later', true],
  ['401 unauthorized', true],
  ['das passwort ist falsch', true],
  ['identifiant ou mot de passe incorrect', true],
  ['la contraseña es incorrecta', true],
  ['неверный пароль', true],
  ['an account with this e-mail address already exists', true],
  ['this user name is already taken', true],
  ['welcome back, ada', false],
  ['already have an account? sign in', false],
  ['you have 3 new messages', false],
  ['your changes were saved', false],
  ['forgot your password?', false],
])('%s reports a failure: %s', (text, failure) => {
  expect(saysFailure(text)).toBe(failure)
})

test.each([
  ['password must contain at least 12 characters', true],
  ['your password is too short', true],
  ['passwords do not match', true],
  ['your password was changed', false],
])('%s rejects the password: %s', (text, isRefused) => {
  expect(refusesPassword(text)).toBe(isRefused)
})

test.each([
  ['enter the 6-digit code from your authenticator app', true, 'APP_TOTP'],
  ['we sent a text message to your phone', true, 'SMS_OTP'],
  ['enter the code sent to ***-***-**42', true, 'SMS_OTP'],
  ['we emailed you a code', true, 'EMAIL_OTP'],
  ['we sent a code to a•••@example.com', true, 'EMAIL_OTP'],
  ['enter a backup code', true, 'BACKUP_CODES'],
  ['enter your code', true, 'UNKNOWN'],
  ['approve the sign-in request on your phone', false, 'PUSH_NOTIFICATION'],
  ['we sent a notification to your device', false, 'PUSH_NOTIFICATION'],
  ['use your security key to continue', false, 'WEBAUTHN'],
  ['verify your identity. choose a method', false, 'UNKNOWN'],
  ['2-step verification', false, 'UNKNOWN'],
  ['two-step verification to help keep your account safe', false, 'UNKNOWN'],
  ['protect your account. turn on two-factor authentication. set up now skip for now', false, null],
  ['enable 2-step verification? not now', false, null],
  ['welcome to your inbox', false, null],
  [`settings: two-factor authentication ${'x'.repeat(1500)}`, false, null],
])('%s (field: %s) is %s', (text, hasField, method) => {
  expect(secondStepOf(text, hasField)).toBe(method)
})

test.each([
  ['enter code', true],
  ['enter the 6-digit code', true],
  ['verification code', true],
  ['postal code', false],
  ['discount code', false],
])('%s asks for a code: %s', (text, asks) => {
  expect(asksForCode(text)).toBe(asks)
})

test.each([
  ['Saisissez le code affiché dans votre application d’authentification', 'APP_TOTP'],
  ['Un code vous a été envoyé par SMS', 'SMS_OTP'],
  ['Geben Sie den Code aus Ihrer Authentifizierungs-App ein', 'APP_TOTP'],
  ['Te enviamos un código por mensaje de texto', 'SMS_OTP'],
  ['Te haremos una llamada con un código', 'PHONE_CALL'],
  ['Enviamos um código para o seu e-mail', 'EMAIL_OTP'],
  ['Abbiamo inviato un codice al tuo indirizzo e-mail', 'EMAIL_OTP'],
  ['We hebben een sms-bericht met een code gestuurd', 'SMS_OTP'],
  ['Wpisz kod z aplikacji uwierzytelniającej', 'APP_TOTP'],
  ['Введите код из приложения для аутентификации', 'APP_TOTP'],
  ['Ми надіслали код на вашу електронну пошту', 'EMAIL_OTP'],
  ['Telefonunuza SMS ile bir doğrulama kodu gönderdik', 'SMS_OTP'],
  ['認証アプリに表示された6桁のコードを入力してください', 'APP_TOTP'],
  ['メールで確認コードを送信しました', 'EMAIL_OTP'],
  ['我们已通过短信向您发送验证码', 'SMS_OTP'],
  ['我們已將驗證碼傳送到您的電子郵件', 'EMAIL_OTP'],
  ['请输入您的备用码', 'BACKUP_CODES'],
  ['휴대전화로 인증번호를 보냈습니다', 'SMS_OTP'],
  ['أدخل الرمز من تطبيق المصادقة', 'APP_TOTP'],
  ['हमने आपको एसएमएस से कोड भेजा है', 'SMS_OTP'],
  ['Enter the code of your authenticator, or one of your backup codes', 'APP_TOTP'],
])('%s with a code field is %s', (text, method) => {
  expect(secondStepOf(text, true)).toBe(method)
})

test.each([
  ['Push notification sent. Respond on your mobile device.', 'PUSH_NOTIFICATION'],
  ['Approve sign in request', 'PUSH_NOTIFICATION'],
  ['Tap Yes on your phone', 'PUSH_NOTIFICATION'],
  ['Open your app and enter the number shown', 'PUSH_NOTIFICATION'],
  ['Open your app and select the number 42 to approve the sign-in.', 'PUSH_NOTIFICATION'],
  ['Abre la aplicación y elige el número 42 para aprobar el acceso.', 'PUSH_NOTIFICATION'],
  ['Öffnen Sie die App und wählen Sie die Zahl 42.', 'PUSH_NOTIFICATION'],
  ['アプリを開き、数字の42を選んでログインを承認してください。', 'PUSH_NOTIFICATION'],
  [
    'Verify with your email. We sent an email to a***@acme-works.example. Click the verification link in your email to continue or enter the code below.',
    'EMAIL_OTP',
  ],
  ['Anmeldeanforderung genehmigen', 'PUSH_NOTIFICATION'],
  ['Approuvez la demande de connexion', 'PUSH_NOTIFICATION'],
  ['スマートフォンに通知を送信しました', 'PUSH_NOTIFICATION'],
  ['أرسلنا إشعارًا إلى هاتفك', 'PUSH_NOTIFICATION'],
  ['Vérification en deux étapes. Utilisez votre clé de sécurité', 'WEBAUTHN'],
])('%s without a field is %s', (text, method) => {
  expect(secondStepOf(text, false)).toBe(method)
})

test.each([
  ['Sign in to Acme. One-time code', 'sign in', 'APP_TOTP'],
  ['Login token required', 'login', 'APP_TOTP'],
  ['Einmalcode', 'absenden', 'APP_TOTP'],
  ['Código de un solo uso', 'entrar', 'APP_TOTP'],
  ['Contraseña de un solo uso', 'entrar', 'APP_TOTP'],
  ['Código de uso único', 'entrar', 'APP_TOTP'],
  ['Kertakäyttökoodi', 'kirjaudu', 'APP_TOTP'],
  ['वन टाइम पासवर्ड', 'साइन इन', 'APP_TOTP'],
  ['Одноразовый код', 'войти', 'APP_TOTP'],
  ['ワンタイムパスワード', 'ログイン', 'APP_TOTP'],
  ['One-time code', 'sign in resend code', 'UNKNOWN'],
  ['We have just sent you a one-time code', 'sign in', 'UNKNOWN'],
  ['Einmalcode', 'anmelden code erneut senden', 'UNKNOWN'],
  ['Wir haben Ihnen einen Einmalcode zugeschickt', 'anmelden', 'UNKNOWN'],
  ['Enter your code', 'sign in', 'UNKNOWN'],
])('a code field at %s with the controls %s is %s', (text, controls, method) => {
  expect(secondStepOf(text, true, controls)).toBe(method)
})

test('the label of the code field takes precedence over that of the address field', () => {
  const label = 'Two-step verification: Enter the code from your authenticator app.'
  const page = `Email address Password ${label}`
  expect(secondStepOf(page, true, 'sign in', label)).toBe('APP_TOTP')
  expect(secondStepOf('Email address. We sent a text message.', true, '', 'Code')).toBe('SMS_OTP')
})

test('a button that offers to set up a second step does not count', () => {
  const text = 'Two-factor authentication adds a layer of security.'
  expect(secondStepOf(text, false, 'set up now skip')).toBeNull()
  expect(secondStepOf(text, false, 'cancel')).toBe('UNKNOWN')
})

test.each([
  ['Verify your email to complete registration', true],
  ['Confirm your e-mail address', true],
  ['Bestätigen Sie Ihre E-Mail-Adresse', true],
  ['メールアドレスの確認', true],
  ['Two-factor authentication: verify your email', false],
  ['Enter the code that we sent to your e-mail address', false],
])('%s confirms an address: %s', (text, confirms) => {
  expect(confirmsAddress(text)).toBe(confirms)
})

test.each([
  ['Identifiant ou mot de passe incorrect', 'REFUSED'],
  ['El usuario o la contraseña no son válidos', 'REFUSED'],
  ['Usuário ou senha inválidos', 'REFUSED'],
  ['De gebruikersnaam of het wachtwoord is onjuist', 'REFUSED'],
  ['Nieprawidłowy login lub hasło', 'REFUSED'],
  ['Kullanıcı adı veya şifre hatalı', 'REFUSED'],
  ['ユーザー名またはパスワードが正しくありません', 'REFUSED'],
  ['用户名或密码错误', 'REFUSED'],
  ['아이디 또는 비밀번호가 올바르지 않습니다', 'REFUSED'],
  ['رمز التحقق غير صحيح', 'REFUSED'],
  ['गलत उपयोगकर्ता नाम या पासवर्ड', 'REFUSED'],
  ['Your account has been locked', 'LOCKED'],
  ['Zu viele Fehlversuche', 'LOCKED'],
  ['This email is already registered.', 'TAKEN'],
  ['Cet e-mail est déjà utilisé', 'TAKEN'],
  ['Password must contain 8 characters', 'PASSWORD_RULE'],
  ['No account? Create one!', 'UNKNOWN'],
  ['We use cookies', 'UNKNOWN'],
])('%s is a message of the kind %s', (text, kind) => {
  expect(messageKind(text)).toBe(kind)
})

test.each([
  ['Are you a robot? Select all squares with boats.', true],
  ['Please complete the reCAPTCHA to continue', true],
  ['Zaznacz, że nie jesteś robotem', true],
  ['Je ne suis pas un robot', true],
  ['Não sou um robô', true],
  ['Подтвердите, что вы не робот', true],
  ['ロボットではありません', true],
  ['Our systems have detected unusual traffic', true],
  ['Welcome back, Ada. Apollo, Borealis, Cassini', false],
  [`Robotics team. ${'Apollo, Borealis, Cassini. '.repeat(30)}`, false],
])('“%s” is a challenge: %s', (text, asks) => {
  expect(asksForPerson(text)).toBe(asks)
})
