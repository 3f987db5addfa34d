import { htmlPage } from '../../e2e/src/sites/site.ts'
import type { Flow, Product } from '../src/lab-product.ts'
import { bundle, json, serveOwn } from '../src/own-server.ts'

const host = 'cloud.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Orbit-Lavender-6037' },
  { user: 'grace.murray', password: 'Candle-Bridge-9914' },
] as const
const totp = { user: 'totp.user', password: 'Thunder-Pickle-2785' }
const rightCode = '482913'

const source = `
import { Amplify } from 'aws-amplify'
import { signIn } from 'aws-amplify/auth'
import { Authenticator } from '@aws-amplify/ui-react'
import { createRoot } from 'react-dom/client'
Amplify.configure({ Auth: { Cognito: {
  userPoolId: 'us-east-1_Lab', userPoolClientId: 'lab', userPoolEndpoint: 'https://${host}/cognito' } } })
const services = { handleSignIn: (input) => signIn({ ...input, options: { authFlowType: 'USER_PASSWORD_AUTH' } }) }
createRoot(document.getElementById('root')).render(
  <Authenticator services={services} hideSignUp>
    {({ signOut }) => <main><h1 id="home">Welcome</h1><button onClick={signOut}>Sign out</button></main>}
  </Authenticator>)
`

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (user: string, use: string): string => {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const claims = { sub: user, username: user, 'cognito:username': user, token_use: use }
  return `${part({ alg: 'none' })}.${part({ ...claims, iat: nowSeconds, exp: nowSeconds + 3600 })}.lab`
}

const codeFlow = (name: string, code: string, right: boolean): Flow => ({
  name,
  run: async (person) => {
    await person.open('/')
    await person.type('input[name="username"]', totp.user)
    await person.type('input[name="password"]', totp.password)
    await person.click('button[type="submit"]')
    await person.type('input[name="confirmation_code"]', code)
    await person.click('button[type="submit"]')
    if (right) await person.see('#home')
    else await person.pause(3_000)
  },
  expect: right ? [{ identity: totp.user, mfa: 'APP_TOTP' }] : [],
})

/** Amplify Authenticator with a mock of the user pool. */
export const product: Product = {
  name: 'amplify-authenticator',
  host,
  packages: {
    npm: {
      '@aws-amplify/ui-react': '6.15.6',
      'aws-amplify': '6.22.1',
      react: '18.3.1',
      'react-dom': '18.3.1',
      esbuild: '0.28.2',
    },
  },
  start: async (stage) => {
    stage.secret(totp.password)
    const folder = await bundle(stage, source)
    const known = new Map<string, string>([...accounts, totp].map(({ user, password }) => [user, password]))
    const result = (user: string) => ({
      ChallengeParameters: {},
      AuthenticationResult: {
        AccessToken: token(user, 'access'),
        IdToken: token(user, 'id'),
        RefreshToken: 'lab',
        ExpiresIn: 3600,
        TokenType: 'Bearer',
      },
    })
    const failed = (__type: string, message: string) =>
      json({ __type, message }, 400, { 'x-amzn-errortype': __type })
    const respond: Parameters<typeof serveOwn>[2] = ({ method, fields }) => {
      if (method === 'GET')
        return htmlPage('Cloud', '<div id="root"></div><script src="/static/page.js"></script>')
      const body = fields as Readonly<Record<string, unknown>>
      if (body.AuthFlow !== undefined) {
        const { USERNAME: user = '', PASSWORD: password } = body.AuthParameters as Readonly<
          Record<string, string>
        >
        if (known.get(user) !== password)
          return failed('NotAuthorizedException', 'Incorrect username or password.')
        if (user !== totp.user) return json(result(user))
        return json({
          ChallengeName: 'SOFTWARE_TOKEN_MFA',
          Session: user,
          ChallengeParameters: { USER_ID_FOR_SRP: user },
        })
      }
      if (body.ChallengeName !== undefined) {
        const { SOFTWARE_TOKEN_MFA_CODE: code } = body.ChallengeResponses as Readonly<Record<string, string>>
        return code === rightCode
          ? json(result(totp.user))
          : failed('CodeMismatchException', 'Invalid code received for user')
      }
      return json({ Username: 'ada', UserAttributes: [{ Name: 'sub', Value: 'ada' }] })
    }
    await serveOwn(stage, host, respond, { '/static/': folder })
  },
  login: {
    user: 'input[name="username"]',
    password: 'input[name="password"]',
    submit: 'button[type="submit"]',
    signedIn: '#home',
    refused: '[role="alert"], .amplify-alert',
    accounts,
  },
  flows: [codeFlow('second step: totp', rightCode, true), codeFlow('wrong code: totp', '111111', false)],
}
