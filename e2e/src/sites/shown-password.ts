import { firstOf, htmlPage, isRight, redirectTo, type SitePart } from './site.ts'

/** Button that reveals a field by changing its `type`, as most pages do. */
const showButton = (field: string) =>
  `<button type="button" onclick="document.getElementById('${field}').type = 'text'">Show</button>`

/** Button that replaces the field by a text field, as with some frameworks. */
const replaceButton = (
  field: string,
) => `<button type="button" onclick="replaceField('${field}')">Show</button>
<script>
function replaceField(id) {
  const hidden = document.getElementById(id)
  const shown = document.createElement('input')
  Object.assign(shown, { type: 'text', id, name: hidden.name, value: hidden.value })
  hidden.replaceWith(shown)
}
</script>`

/** Login whose field names contain `user`, including that of the password. */
const namedAfterUser: SitePart = ({ method, url, fields }) => {
  if (url.pathname !== '/shown/login') return undefined
  if (method === 'POST' && isRight(fields['user[password]']))
    return redirectTo('/home', ['session=1; Path=/'])
  return htmlPage(
    'Log in',
    `<h1>Log in</h1><form method="post" action="/shown/login">
  <label for="user_email">E-mail</label> <input type="text" id="user_email" name="user[email]">
  <label for="user_password">Password</label> <input type="password" id="user_password" name="user[password]">
  ${showButton('user_password')}
  <button type="submit">Log in</button></form>`,
  )
}

/** Invitation: the first page asks for the identity, the second one sets a password. */
const invitation: SitePart = ({ method, url, fields }) => {
  if (url.pathname === '/shown/invitation') {
    if (method === 'POST') return redirectTo('/shown/invitation/password')
    return htmlPage(
      'Welcome',
      `<h1>You are invited: sign in</h1><form method="post" action="/shown/invitation">
  <label>E-mail <input type="email" name="email"></label><button type="submit">Next</button></form>`,
    )
  }
  if (url.pathname !== '/shown/invitation/password') return undefined
  if (method === 'POST' && fields.first === fields.second) return redirectTo('/home', ['session=1; Path=/'])
  return htmlPage(
    'Set your password',
    `<h1>Set your password</h1><form method="post" action="/shown/invitation/password">
  <label for="first">New password</label> <input type="password" id="first" name="first"> ${showButton('first')}
  <label for="second">Repeat it</label> <input type="password" id="second" name="second">
  <button type="submit">Save</button></form>`,
  )
}

/** Second page of a login, with only the password; `?way=replace` reveals it with another field. */
const secondPage: SitePart = ({ method, url, fields }) => {
  if (url.pathname !== '/shown/password') return undefined
  if (method === 'POST' && isRight(fields.loginPassword)) return redirectTo('/home', ['session=1; Path=/'])
  const button = url.searchParams.get('way') === 'replace' ? replaceButton : showButton
  return htmlPage(
    'Welcome back',
    `<h1>Welcome back</h1><form method="post" action="/shown/password">
  <label for="loginPassword">Password</label>
  <input type="password" id="loginPassword" name="loginPassword"> ${button('loginPassword')}
  <button type="submit">Continue</button></form>`,
  )
}

/** Paths to which these pages send a password themselves. */
export const shownPasswordPaths = ['/shown/login', '/shown/invitation/password', '/shown/password']

/** Logins whose passwords can be revealed while they are typed. */
export const shownPasswords = firstOf(namedAfterUser, invitation, secondPage)
