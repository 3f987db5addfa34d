import { ApiError } from '@muster/contract/errors'
import type { FastifyInstance } from 'fastify'
import { type AgentPage, escapeHtml, sendPage } from '../../kernel/http/agent-page.ts'
import type { AgentDownloads, BuiltAgent } from './agent-downloads.ts'

export interface DownloadsPageOptions {
  readonly publicUrl: string
  readonly downloads: AgentDownloads
}

/** Serves the page from which people get the agent, and its packages. */
export function registerDownloads(
  app: FastifyInstance,
  { publicUrl, downloads }: DownloadsPageOptions,
): void {
  app.get('/agent', (_request, reply) => reply.redirect('/agent/'))
  app.get('/agent/', async (_request, reply) =>
    sendPage(reply, downloadsPage(publicUrl, await downloads.list())),
  )
  app.get('/agent/:file(^[\\w.+-]+\\.zip$)', async (request, reply) => {
    const { file } = request.params as { file: string }
    const bytes = await downloads.read(file)
    if (!bytes) throw new ApiError('not_found', 'There is no such package.')
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${file}"`,
        'cache-control': 'no-cache',
      })
      .send(bytes)
  })
}

function downloadsPage(publicUrl: string, built: readonly BuiltAgent[]): AgentPage {
  const title = 'The Muster agent'
  const intro = `<h1>${title}</h1><p>The agent is an extension that connects a browser to <strong>${escapeHtml(new URL(publicUrl).host)}</strong>. It works together with an enrollment link, or by itself on devices that are managed.</p>`
  if (built.length === 0) {
    return {
      status: 200,
      title,
      body: `${intro}<div class="card"><p class="state">The agent has not been built on this server.</p><p>Its administrators build it with <code>npm run agent:build</code> in the folder of Muster; then it is offered here.</p></div>`,
    }
  }
  return {
    status: 200,
    title,
    body: `${intro}${built.map((one) => sections[one.browser](one, publicUrl)).join('')}`,
  }
}

const download = ({ package: { file, version, bytes, sha256 } }: BuiltAgent): string =>
  `<div class="card"><p><a href="/agent/${escapeHtml(file)}" download>${escapeHtml(file)}</a></p><dl><dt>Version</dt><dd>${escapeHtml(version)}</dd><dt>Size</dt><dd>${Math.ceil(bytes / 1024)} KiB</dd><dt>SHA-256</dt><dd><code>${sha256}</code></dd></dl></div>`

const block = (value: unknown): string =>
  `<pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`

/** The keys that device management sets, for whichever browser. */
const managedKeys = (publicUrl: string) => ({
  serverUrl: new URL(publicUrl).origin,
  enrolmentToken: 'met_…',
})

const keyHelp = `<p><code>serverUrl</code> is this server; links of other servers are ignored then. An administrator makes the <code>enrolmentToken</code> with <code>muster enrollment-tokens create --name laptops</code>; it is shown once. <code>identity</code>, the employee's e-mail address, is needed only where the browser profile does not tell it.</p>`

const sections: Readonly<Record<BuiltAgent['browser'], (built: BuiltAgent, publicUrl: string) => string>> = {
  chromium: (built, publicUrl) => `<h2>Chrome, Edge, Brave and other Chromium browsers</h2>${download(built)}
<ol><li>Fetch the package and unpack it into a folder that stays.</li>
<li>Open <code>chrome://extensions</code> and switch on <em>Developer mode</em>.</li>
<li>Choose <em>Load unpacked</em> and the folder. The id of the extension is <code>${escapeHtml(built.extensionId ?? 'shown there')}</code>.</li>
<li>Open your enrollment link.</li></ol>
<h3>Managed devices</h3><p>Distribute the package by your own extension hosting or store entry, and set this policy. On Linux it is a file that ends in <code>.json</code>, in <code>/etc/opt/chrome/policies/managed/</code> (Chromium: <code>/etc/chromium/policies/managed/</code>, Edge: <code>/etc/opt/edge/policies/managed/</code>); on Windows the same keys stand in the registry under <code>Software\\Policies\\Google\\Chrome\\3rdparty\\extensions\\ID\\policy</code>:</p>
${block({ '3rdparty': { extensions: { [built.extensionId ?? 'ID']: managedKeys(publicUrl) } } })}${keyHelp}`,
  firefox: (built, publicUrl) => `<h2>Firefox</h2>${download(built)}
<ol><li>Fetch the package.</li>
<li>To try it, open <code>about:debugging#/runtime/this-firefox</code>, choose <em>Load Temporary Add-on</em> and the package; it is gone after a restart.</li>
<li>To keep it, Firefox wants it signed: have it signed as an unlisted add-on at addons.mozilla.org, or use a Firefox that takes unsigned ones (ESR, Developer Edition) with <code>xpinstall.signatures.required</code> set to false.</li>
<li>Open your enrollment link.</li></ol>
<h3>Managed devices</h3><p>In <code>policies.json</code>:</p>
${block({ policies: { '3rdparty': { Extensions: { [built.extensionId ?? 'ID']: managedKeys(publicUrl) } } } })}${keyHelp}`,
}
