import type { Product } from '../src/lab-product.ts'
import { oktaUsers, secondStepFlows } from '../src/okta-flows.ts'
import { identityEngine } from '../src/okta-identity.ts'
import { oktaPackages, serveWidget } from '../src/okta-pages.ts'

const host = 'id.acme-works.example'
const form = {
  user: 'input[name="identifier"]',
  next: 'button[type="submit"]',
  password: 'input[name="credentials.passcode"]',
  code: 'input[name="credentials.passcode"]',
  submit: 'button[type="submit"]',
  signedIn: '#home',
}

/** Third generation of the widget, with the password on a separate page. */
export const product: Product = {
  name: 'okta-identity-next',
  host,
  packages: oktaPackages,
  start: async (stage) => {
    const users = Object.values(oktaUsers)
    for (const { password } of users) stage.secret(password)
    await serveWidget(stage, {
      host,
      script: 'okta-sign-in.next.js',
      style: 'okta-sign-in.next.css',
      config: 'useClassicEngine: false',
      api: identityEngine(host, users, true),
    })
  },
  login: { ...form, refused: '[role="alert"]', accounts: [oktaUsers.plain] },
  flows: secondStepFlows({ ...form, user: 'input[name="identifier"]' }, ['totp', 'email', 'push']),
}
