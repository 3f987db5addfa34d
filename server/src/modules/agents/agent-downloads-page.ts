import { ApiError } from '@muster/contract/api/errors'
import { policyFiles } from '@muster/contract/rollout/policy-files'
import type { FastifyInstance } from 'fastify'
import { type AgentPage, escapeHtml, sendPage } from '../../kernel/http/agent-page.ts'
import type { AgentDownloads, BuiltAgent } from './agent-downloads.ts'

export interface DownloadsPageOptions {
  readonly publicUrl: string
  readonly downloads: AgentDownloads
}

/** Serves the agent's download page and packages. */
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
    if (!bytes) throw new ApiError('not_found', 'Package not found.')
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
  const title = 'Muster agent'
  const intro = `<h1>${title}</h1><p>The agent is a browser extension that connects the browser to <strong>${escapeHtml(new URL(publicUrl).host)}</strong>. Connect it with an enrollment link; managed devices connect automatically.</p>`
  if (built.length === 0) {
    return {
      status: 200,
      title,
      body: `${intro}<div class="card"><p class="state">No agent packages on this server.</p><p>To build them, run <code>npm run agent:build</code> in the Muster folder. They then appear here.</p></div>`,
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

/** Returns a policy file of managed devices, as the console offers it, with a placeholder for the token. */
function policyBlock(id: 'linux' | 'firefox', { extensionId }: BuiltAgent, publicUrl: string): string {
  const extension = extensionId ?? 'ID'
  const files = policyFiles({
    serverUrl: new URL(publicUrl).origin,
    enrolmentToken: 'met_…',
    chromiumId: extension,
    firefoxId: extension,
    makeUuid: () => '',
  })
  const file = files.find((one) => one.id === id)
  return `<pre><code>${escapeHtml((file?.content ?? '').trimEnd())}</code></pre>`
}

const keyHelp = `<p><code>serverUrl</code> is this server; the agent then ignores enrollment links of other servers. Create the <code>enrolmentToken</code> in the console under <em>Enrollment</em>, which also has policy files for Windows, Intune, macOS and the Google Admin console, or with <code>muster enrollment-tokens create --name laptops</code>; it is shown once. Set <code>identity</code> to the employee's e-mail address if the browser profile has no address.</p>`

const sections: Readonly<Record<BuiltAgent['browser'], (built: BuiltAgent, publicUrl: string) => string>> = {
  chromium: (built, publicUrl) => `<h2>Chrome, Edge, Brave and other Chromium browsers</h2>${download(built)}
<ol><li>Download the package and unzip it to a permanent folder.</li>
<li>Open <code>chrome://extensions</code> and turn on <em>Developer mode</em>.</li>
<li>Choose <em>Load unpacked</em> and select the folder. The extension ID is <code>${escapeHtml(built.extensionId ?? 'shown there')}</code>.</li>
<li>Open your enrollment link.</li></ol>
<h3>Managed devices</h3><p>Distribute the package through your own extension hosting or a store listing, and set this policy. On Linux, save it as a <code>.json</code> file in <code>/etc/opt/chrome/policies/managed/</code> (Chromium: <code>/etc/chromium/policies/managed/</code>, Edge: <code>/etc/opt/edge/policies/managed/</code>). On Windows, set the same keys in the registry under <code>Software\\Policies\\Google\\Chrome\\3rdparty\\extensions\\ID\\policy</code>:</p>
${policyBlock('linux', built, publicUrl)}${keyHelp}`,
  firefox: (built, publicUrl) => `<h2>Firefox</h2>${download(built)}
<ol><li>Download the package.</li>
<li>To try it, open <code>about:debugging#/runtime/this-firefox</code>, choose <em>Load Temporary Add-on</em> and select the package. Firefox removes it on restart.</li>
<li>To install it permanently, Firefox requires a signature: sign it as an unlisted add-on at addons.mozilla.org, or use Firefox ESR or Developer Edition with <code>xpinstall.signatures.required</code> set to false.</li>
<li>Open your enrollment link.</li></ol>
<h3>Managed devices</h3><p>In <code>policies.json</code>:</p>
${policyBlock('firefox', built, publicUrl)}${keyHelp}`,
}
