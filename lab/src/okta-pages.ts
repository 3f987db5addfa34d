import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { htmlPage, redirectTo, type SiteRequest, type SiteResponse } from '../../e2e/src/sites/site.ts'
import type { Stage } from './lab-product.ts'
import { homePage, serveOwn } from './own-server.ts'

/** Version of the widget used by all its products. */
export const oktaPackages = { npm: { '@okta/okta-signin-widget': '7.49.0' } }

/** Page with the sign-in widget. */
export interface WidgetPage {
  readonly host: string
  /** File in `dist/js`. */
  readonly script: string
  /** File in `dist/css`. */
  readonly style: string
  /** Members of the widget's configuration, as JavaScript. */
  readonly config: string
  /** Mocks the API that the widget calls. */
  readonly api: (request: SiteRequest) => SiteResponse | undefined
}

/** Serves the widget's page, the API and the page after the login. */
export function serveWidget(stage: Stage, { host, script, style, config, api }: WidgetPage): Promise<void> {
  const loginPage = () =>
    htmlPage(
      'Acme - Sign In',
      `<link rel="stylesheet" href="/dist/css/${style}"><div id="okta-login-container"></div>
<script src="/dist/js/${script}"></script><script>
const widget = new OktaSignIn({ baseUrl: 'https://${host}', el: '#okta-login-container',
  stateToken: '${randomBytes(12).toString('hex')}', logoText: 'Acme', language: 'en',
  assets: { baseUrl: '/dist' }, features: { autoPush: false }, ${config} })
widget.renderEl({ el: '#okta-login-container' }, (result) => {
  if (result.status === 'SUCCESS' && result.session) result.session.setCookieAndRedirect('https://${host}/app/UserHome')
}, (error) => console.error(error))
</script>`,
    )
  const respond = (request: SiteRequest): SiteResponse | undefined => {
    const { url, cookies } = request
    if (url.pathname === '/') return cookies.sid === undefined ? loginPage() : redirectTo('/app/UserHome')
    if (url.pathname === '/app/UserHome') return homePage(cookies.sid ?? 'nobody')
    if (url.pathname.startsWith('/login/')) {
      const user = url.searchParams.get('user') ?? url.searchParams.get('token') ?? ''
      return redirectTo('/app/UserHome', [`sid=${encodeURIComponent(user)}; Path=/; Secure; HttpOnly`])
    }
    return api(request)
  }
  const dist = join(stage.installed, 'node_modules', '@okta', 'okta-signin-widget', 'dist')
  return serveOwn(stage, host, respond, { '/dist/': dist })
}
