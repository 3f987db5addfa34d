import { notFound } from '@muster/contract/errors'
import type { FastifyInstance } from 'fastify'
import { type AgentPage, escapeHtml, sendPage } from '../../kernel/http/agent-page.ts'
import { failedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { refusalOf } from './agent-authenticate.ts'

/** What the page of an enrollment link tells. */
export type Invitation =
  | { readonly usable: false; readonly status: number; readonly text: string }
  | {
      readonly usable: true
      readonly email: string
      /** First and last name; null if unknown. */
      readonly name: string | null
      /** Null where there is but one, which has no name of its own. */
      readonly organization: string | null
      /** UNIX seconds. */
      readonly expirationTimestamp: number
      /** Whom employees may ask. */
      readonly contact: string | null
    }

export interface EnrollPageOptions {
  readonly publicUrl: string
  readonly clock: Clock
  /** What there is to tell of the link with this token. */
  invitation(token: string): Promise<Invitation>
}

/** Serves the page of an enrollment link. To look at it uses nothing up: the agent does, when the employee agrees. */
export function registerEnrollPage(app: FastifyInstance, options: EnrollPageOptions): void {
  const failures = failedAttemptLimiter({ clock: options.clock })
  const { host } = new URL(options.publicUrl)
  app.get('/enroll/:token', async (request, reply) => {
    const { token } = request.params as { token: string }
    const found = await options.invitation(token)
    if (!found.usable && found.status === 404) {
      const refusal = refusalOf(failures, request.ip, notFound())
      if (refusal.code === 'rate_limited') throw refusal
    }
    return sendPage(reply, found.usable ? invitationPage(host, found) : refusedPage(found))
  })
}

const refusedPage = ({ status, text }: Invitation & { usable: false }): AgentPage => ({
  status,
  title: 'This link does not work · Muster',
  body: `<h1>This link does not work</h1><p class="state">${escapeHtml(text)}</p><p>If this browser was connected by it before, there is nothing to do: the agent's button in the toolbar says so.</p>`,
})

const day = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')

function invitationPage(host: string, found: Invitation & { usable: true }): AgentPage {
  const { email, name, organization, expirationTimestamp, contact } = found
  const facts = [
    ...(name === null ? [] : [['Employee', name]]),
    ['E-mail address', email],
    ...(organization === null ? [] : [['Organization', organization]]),
    ['Server', host],
    ['Works once, until', `${day(expirationTimestamp)} UTC`],
  ].map(([term = '', value = '']) => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`)
  const ask =
    contact === null
      ? 'Ask the people who sent you this link.'
      : `Ask <strong>${escapeHtml(contact)}</strong>.`
  return {
    status: 200,
    title: `Connect this browser to ${host} · Muster`,
    head: '<meta name="muster-enrollment" content="1">',
    body: `<h1>Connect this browser to ${escapeHtml(host)}</h1>
<div class="card"><dl>${facts.join('')}</dl></div>
<h2>What to do</h2>
<ol><li>If the Muster agent is in this browser, it opens a page of its own now and asks whether to connect. Check the name of the server there, and agree.</li>
<li>If nothing asks, the agent is not there yet: <a href="/agent/">get the agent</a>, then open this link again in the same browser. The link stays good until it is used.</li></ol>
<p>If this is not you, do not connect: everything the browser reports would be filed under this name.</p>
${reported}<h2>Questions?</h2><p>${ask}</p>`,
  }
}

/** In plain words, what `HEARTBEAT`, `EXTENSIONS`, `LOGIN`, `VISIT` and the threats are (domain contract, sections 2, 3). */
const reported = `<h2>What the agent reports</h2>
<ul><li>The browser: its kind, version, language, operating system, and the e-mail address of its profile.</li>
<li>The extensions in it: their names, versions and permissions.</li>
<li>Signing in to apps: where, with which address or user name, in which way, whether there was a second step, and whether the password was typed or filled in.</li>
<li>Which of the apps that Muster or the organization lists are open, and sites where the work address is given: their host names, each at most once a day.</li>
<li>Dangers: blocked addresses, pages that imitate a sign-in or attack the browser, malicious extensions, with the address of the page without its query; and which notices were shown, with the reason if you were asked for one.</li>
<li>The network address that each report comes from.</li></ul>
<h2>What it does not report</h2>
<ul><li>Passwords. They never leave the browser, nor does anything from which one could be guessed; only whether a password is weak, used twice, or known to be stolen.</li>
<li>What you read or write, other pages that you visit, your history, bookmarks or files.</li></ul>`
