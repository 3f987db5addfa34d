import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** The one style of the pages that employees see. */
const css = `:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
*{box-sizing:border-box}body{margin:0;font:1rem/1.6 system-ui,sans-serif;background:light-dark(#fff,#14171c);color:light-dark(#1b1f26,#e8eaee)}
main{max-width:44rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.25rem}h1{font-size:clamp(1.5rem,5vw,2rem);line-height:1.2;margin:0 0 1rem}
h2{font-size:1.15rem;line-height:1.3;margin:2.25rem 0 .5rem}p,ul,ol,dl{margin:.5rem 0}li{margin:.3rem 0}a{color:light-dark(#0b57d0,#a8c7fa)}
code,pre{font:.9em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}code{background:var(--soft);padding:.1em .3em;border-radius:.3em}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.9rem;overflow-x:auto;white-space:pre-wrap}pre code{background:none;padding:0}
.card{border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem;margin:1.25rem 0}.card dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0}
dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}.state{font-weight:600}
@media(max-width:30rem){.card dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}`

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', css, 'base64')}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

/** The address of a page may hold a token: nothing is told to others, kept, or put into a frame. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Text as it stands in HTML, also within quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A page for people. `head` and `body` are HTML: what is not written here must be escaped by {@link escapeHtml}. */
export interface AgentPage {
  readonly status: number
  readonly title: string
  readonly head?: string
  readonly body: string
}

/** Sends a page: without script, and with nothing from elsewhere. */
export const sendPage = (reply: FastifyReply, { status, title, head = '', body }: AgentPage): FastifyReply =>
  reply
    .code(status)
    .headers(pageHeaders)
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,">${head}<style>${css}</style></head><body><main>${body}</main></body></html>`,
    )
