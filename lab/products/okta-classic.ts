import type { Product } from '../src/lab-product.ts'
import { classicEngine } from '../src/okta-authn.ts'
import { oktaUsers, secondStepFlows } from '../src/okta-flows.ts'
import { oktaPackages, serveWidget } from '../src/okta-pages.ts'

const host = 'okta.acme-works.example'
const form = {
  user: 'input[name="username"]',
  password: 'input[name="password"]',
  submit: 'input[type="submit"]',
  signedIn: '#home',
  code: 'input[name="answer"]',
}

export const product: Product = {
  name: 'okta-classic',
  host,
  packages: oktaPackages,
  start: async (stage) => {
    const users = Object.values(oktaUsers)
    for (const { password } of users) stage.secret(password)
    await serveWidget(stage, {
      host,
      script: 'okta-sign-in.classic.min.js',
      style: 'okta-sign-in.min.css',
      config: 'useClassicEngine: true, stateToken: undefined',
      api: classicEngine(host, users),
    })
  },
  login: { ...form, refused: '[role="alert"]', accounts: [oktaUsers.plain] },
  flows: secondStepFlows({ ...form, send: { push: 'input[type="submit"]', phone: '.sms-request-button' } }, [
    'totp',
    'push',
    'phone',
  ]),
}
