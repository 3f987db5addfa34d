import type { Product } from '../src/lab-product.ts'
import { oktaUsers, secondStepFlows } from '../src/okta-flows.ts'
import { identityEngine } from '../src/okta-identity.ts'
import { oktaPackages, serveWidget } from '../src/okta-pages.ts'

const host = 'login.acme-works.example'
const form = {
  user: 'input[name="identifier"]',
  password: 'input[name="credentials.passcode"]',
  code: 'input[name="credentials.passcode"]',
  submit: 'input[type="submit"]',
  signedIn: '#home',
}

export const product: Product = {
  name: 'okta-identity-engine',
  host,
  packages: oktaPackages,
  start: async (stage) => {
    const users = Object.values(oktaUsers)
    for (const { password } of users) stage.secret(password)
    await serveWidget(stage, {
      host,
      script: 'okta-sign-in.min.js',
      style: 'okta-sign-in.min.css',
      config: 'useClassicEngine: false',
      api: identityEngine(host, users),
    })
  },
  login: { ...form, refused: '[role="alert"]', accounts: [oktaUsers.plain] },
  flows: secondStepFlows(form, ['totp', 'email', 'push', 'phone']),
}
