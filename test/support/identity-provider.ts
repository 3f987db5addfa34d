import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** OpenID Connect provider on this machine. Its login page asks only for a name. */
export interface IdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Claims of each account, by name. */
  readonly people: Map<string, { email: string; email_verified: boolean; name?: string }>
  /**
   * Signs in as `name` at the URL to which the server has redirected the browser.
   *
   * @param cookies of the browser at the provider; keeps its session
   * @returns the URL to which the provider redirects the browser
   */
  signIn(from: string, name: string, cookies?: Map<string, string>): Promise<string>
  close(): Promise<void>
}

/** Types of the package, which has none, as far as they are used. */
interface ProviderModule {
  readonly default: new (issuer: string, configuration: object) => { callback(): RequestListener }
}
const packageName: string = 'oidc-provider'

const clientId = 'muster'
const clientSecret = 'a secret of the tests, long enough for any algorithm'

export async function identityProvider(redirectUri: string): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: IdentityProvider['people'] = new Map()
  const { default: Provider } = (await import(packageName)) as ProviderModule
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people.get(id) }),
    }),
  })
  server.on('request', provider.callback())

  const signIn = async (from: string, name: string, cookies = new Map<string, string>()): Promise<string> => {
    let url = from
    let form: string | undefined
    for (let redirects = 0; redirects < 20; redirects++) {
      const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { cookie, ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
        ...(form ? { method: 'POST', body: form } : {}),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const value = pair.slice(pair.indexOf('=') + 1)
        if (value === '') cookies.delete(pair.slice(0, pair.indexOf('=')))
        else cookies.set(pair.slice(0, pair.indexOf('=')), value)
      }
      const page = await answer.text()
      const location = answer.headers.get('location')
      if (location?.startsWith(redirectUri)) return location
      // A page of the provider: login or consent.
      form =
        location === null
          ? page.includes('name="login"')
            ? `prompt=login&login=${name}`
            : 'prompt=consent'
          : undefined
      const action = /action="([^"]+)"/.exec(page)?.[1]
      if (location === null && action === undefined)
        throw new Error(`the provider stopped: ${page.slice(0, 500)}`)
      url = new URL(location ?? action ?? '', url).href
    }
    throw new Error('too many redirects at the provider')
  }

  return {
    issuer,
    clientId,
    clientSecret,
    people,
    signIn,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
