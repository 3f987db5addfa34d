import { firstOf, htmlPage, isRight, redirectTo, type SitePart } from './site.ts'

/** Login whose password and code fields have the same name and no autocomplete attribute. */
const oneNameForBoth: SitePart = ({ method, url, fields }) => {
  if (url.pathname === '/shapes/one-name') {
    if (method === 'POST' && isRight(fields['credentials.passcode']))
      return redirectTo('/shapes/one-name/code')
    return htmlPage(
      'Sign in',
      `<h1>Sign in</h1><form method="post">
  <label for="in1">Username</label><input type="text" id="in1" name="identifier">
  <label for="in2">Password</label><input type="password" id="in2" name="credentials.passcode">
  <input type="submit" value="Next"></form>`,
    )
  }
  if (url.pathname !== '/shapes/one-name/code') return undefined
  if (method === 'POST') return redirectTo('/home', ['session=1; Path=/'])
  return htmlPage(
    'Verify',
    `<h2>Verify with an authenticator app</h2><form method="post">
  <label for="in3">Enter code</label><input type="text" id="in3" name="credentials.passcode">
  <input type="submit" value="Verify"></form><a href="/shapes/one-name/other">Use a recovery code</a>`,
  )
}

/** Sign-up in a closed shadow root, submitted with Enter or a labeled button. */
const signUpInShadow: SitePart = ({ method, url, fields }) => {
  if (url.pathname !== '/shapes/sign-up') return undefined
  if (method === 'POST' && isRight(fields.password)) return redirectTo('/home', ['session=1; Path=/'])
  return htmlPage(
    'Join',
    `<h1>Join us</h1><join-form></join-form><script>
const root = document.querySelector('join-form').attachShadow({ mode: 'closed', delegatesFocus: true })
root.innerHTML = '<form method="post" action="/shapes/sign-up">' +
  '<label>E-mail <input type="email" name="email"></label>' +
  '<label>Password <input type="password" name="password"></label>' +
  '<button type="submit">Register</button></form>'
</script>`,
  )
}

/** Texts of second steps by language, which is the last part of their paths. */
const stepTexts: Readonly<Record<string, string>> = {
  fr: 'Saisissez le code affiché dans votre application d’authentification',
  ja: '携帯電話にSMSで送信された確認コードを入力してください',
  ar: 'أرسلنا رمز التحقق إلى بريدك الإلكتروني',
}

/** Login with one box for each digit of the code; the script submits it with the last digit. */
const digitBoxes: SitePart = ({ method, url, fields }) => {
  const [, shapes, boxes, language = ''] = url.pathname.split('/')
  const text = stepTexts[language]
  if (shapes !== 'shapes' || boxes !== 'boxes' || text === undefined) return undefined
  if (method === 'GET' && url.search === '')
    return htmlPage(
      'Login',
      `<form method="post"><label>Login <input name="login"></label>
  <label>Password <input type="password" name="password"></label><button>OK</button></form>`,
    )
  if (method === 'POST' && isRight(fields.password)) return redirectTo(`${url.pathname}?step=2`)
  if (method === 'POST') return redirectTo('/home', ['session=1; Path=/'])
  const box = '<input class="box" inputmode="numeric" maxlength="1" size="2">'
  return htmlPage(
    'Login',
    `<p>${text}</p><form method="post">${box.repeat(6)}<input type="hidden" name="code"></form><script>
const inputs = [...document.querySelectorAll('.box')]
inputs.forEach((input, index) => input.addEventListener('input', () => {
  inputs[index + 1]?.focus()
  if (inputs.every(({ value }) => value !== '')) document.forms[0].submit()
}))
</script>`,
  )
}

/** Login that also asks for the code, with floating captions over its fields. */
const floatingCaptions: SitePart = ({ method, url, fields }) => {
  if (url.pathname !== '/shapes/floating') return undefined
  if (method === 'POST' && isRight(fields.c)) return redirectTo('/home', ['session=1; Path=/'])
  const field = (name: string, type: string, caption: string) =>
    `<div class="floating"><input type="${type}" name="${name}" placeholder=" "><span>${caption}</span></div>`
  return htmlPage(
    'Login',
    `<form method="post">${field('a', 'text', 'E-mail')}${field('c', 'password', 'Password')}
${field('d', 'text', 'Two-step verification: enter the code of your authenticator app.')}<button>Log in</button></form>`,
  )
}

/** Paths to which these pages send a password themselves. */
export const shapePasswordPaths = [
  '/shapes/one-name',
  '/shapes/sign-up',
  '/shapes/floating',
  ...Object.keys(stepTexts).map((language) => `/shapes/boxes/${language}`),
]

/** Logins with unusual fields. */
export const fieldShapes = firstOf(oneNameForBoth, signUpInShadow, digitBoxes, floatingCaptions)
