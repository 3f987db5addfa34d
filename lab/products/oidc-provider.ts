import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { Product } from '../src/lab-product.ts'

const host = 'sso.acme-works.example'
const accounts = [
  { user: 'ada.byron', password: 'Harvest-Meteor-9140' },
  { user: 'grace.murray', password: 'Pebble-Orchard-6623' },
] as const

/** Types of the used part of the package, which has none. */
interface ProviderModule {
  readonly default: new (
    issuer: string,
    configuration: object,
  ) => { proxy: boolean; callback(): RequestListener }
}
const packageName: string = 'oidc-provider'
const query = new URLSearchParams({
  client_id: 'lab',
  response_type: 'id_token',
  scope: 'openid',
  nonce: 'lab',
  redirect_uri: `https://${host}/signed-in`,
})

/** The provider's development pages, which accept every password. */
export const product: Product = {
  name: 'oidc-provider',
  host,
  start: async ({ serve, defer }) => {
    const port = await serve(host)
    const { default: Provider } = (await import(packageName)) as ProviderModule
    const provider = new Provider(`https://${host}`, {
      clients: [
        {
          client_id: 'lab',
          redirect_uris: [`https://${host}/signed-in`],
          response_types: ['id_token'],
          grant_types: ['implicit'],
          token_endpoint_auth_method: 'none',
        },
      ],
      cookies: { keys: ['a key of the lab'] },
    })
    provider.proxy = true
    const answer = provider.callback()
    const server = createServer((request, response) => {
      if (!request.url?.startsWith('/signed-in')) return answer(request, response)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>App</title><h1 id="home">Signed in</h1>')
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    defer(() => {
      server.close()
      server.closeAllConnections()
    })
  },
  login: {
    path: `/auth?${query}`,
    user: 'input[name="login"]',
    password: 'input[name="password"]',
    submit: 'button[type="submit"]',
    signedIn: '#home',
    after: async (person) => {
      await person.see('button', 'Continue')
      await person.click('button[type="submit"]')
    },
    facts: { urlWithout: /\/interaction\/[\w-]+/ },
    without: ['wrong password', 'wrong, then right', 'wrong, slow server', 'wrong, slow scripts'],
    accounts,
  },
}
