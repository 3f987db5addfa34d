import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Style of the pages for employees. */
const css = `:root{color-scheme:light dark;--line:light-dark(#e2e5eb,#2b313a);--soft:light-dark(#eff1f5,#20252c);--quiet:light-dark(#565f6e,#a3acba);--accent:light-dark(#3152c8,#9db2ff)}
*{box-sizing:border-box}body{margin:0;font:1rem/1.6 system-ui,sans-serif;background:light-dark(#f6f7f9,#0f1115);color:light-dark(#1a1f28,#e7eaef)}
main{max-width:46rem;margin:clamp(0rem,4vw,3rem) auto;padding:clamp(1.25rem,5vw,2.75rem);border:1px solid var(--line);border-radius:.9rem;background:light-dark(#fff,#15181d)}
.brand{display:flex;align-items:center;gap:.6rem;margin:0 0 1.5rem;font-weight:650}.brand svg{width:1.9rem;height:1.9rem}
h1{font-size:clamp(1.4rem,4vw,1.75rem);line-height:1.25;letter-spacing:-.012em;margin:0 0 .75rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;line-height:1.3;margin:2rem 0 .5rem}p,ul,ol,dl{margin:.5rem 0}ul,ol{padding-left:1.4rem}li{margin:.35rem 0}a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,pre{font:.875em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}code{background:var(--soft);padding:.1em .35em;border-radius:.35em}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.9rem;overflow-x:auto;white-space:pre-wrap}pre code{background:none;padding:0}
.card{border:1px solid var(--line);border-radius:.65rem;background:light-dark(#f6f7f9,#0f1115);padding:1rem 1.25rem;margin:1.25rem 0}.card dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1.25rem;margin:0}
.card code{background:none;padding:0}dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}.state{font-weight:600}
@media(max-width:46rem){main{margin:0;border:0;border-radius:0;min-height:100vh}}@media(max-width:30rem){.card dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}`

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', css, 'base64')}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** Logo and name. */
const brand =
  '<p class="brand"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3e63dd"/><path d="M8 22V11l8 7 8-7v11" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>Muster</p>'

/** Page URLs may contain a token, so these headers forbid referrers, caching and framing. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Escapes a text for HTML, including attribute values. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** HTML page. `head` and `body` are HTML: escape inserted texts with {@link escapeHtml}. */
export interface AgentPage {
  readonly status: number
  readonly title: string
  readonly head?: string
  readonly body: string
}

/** Page for unknown paths. */
export const notFoundPage: AgentPage = {
  status: 404,
  title: 'Page not found · Muster',
  body: `<h1>Page not found</h1><p>Check the address. The page may have been removed.</p>
<ul><li><a href="/console/">Admin console</a></li><li><a href="/docs">API reference</a></li><li><a href="/docs/guide/">Guide</a></li><li><a href="/agent/">Browser agent</a></li></ul>`,
}

/** Returns true if the request comes from a browser, not from a program. */
export const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true

/** Sends a page, which must not contain scripts or external resources. */
export const sendPage = (reply: FastifyReply, { status, title, head = '', body }: AgentPage): FastifyReply =>
  reply
    .code(status)
    .headers(pageHeaders)
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,">${head}<style>${css}</style></head><body><main>${brand}${body}</main></body></html>`,
    )
