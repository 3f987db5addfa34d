import { notFound } from '@muster/contract/api/errors'
import type { FastifyInstance } from 'fastify'
import { type AgentPage, escapeHtml, sendPage } from '../../kernel/http/agent-page.ts'
import { failedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { failedAttemptError } from '../../kernel/http/rate-limit/rate-limit-errors.ts'
import type { Clock } from '../../kernel/lib/clock.ts'

/** Content of the page of an enrollment link. */
export type Invitation =
  | { readonly usable: false; readonly status: number; readonly text: string }
  | {
      readonly usable: true
      readonly email: string
      /** First and last name; null if unknown. */
      readonly name: string | null
      /** Null for an unnamed organization. */
      readonly organization: string | null
      /** UNIX seconds. */
      readonly expirationTimestamp: number
      /** Contact for employees. */
      readonly contact: string | null
    }

export interface EnrollPageOptions {
  readonly publicUrl: string
  readonly clock: Clock
  /** Returns the content for the link with this token. */
  invitation(token: string): Promise<Invitation>
}

/**
 * Serves the page of an enrollment link. Viewing does not use up the link; the agent does when the employee
 * agrees.
 */
export function registerEnrollPage(app: FastifyInstance, options: EnrollPageOptions): void {
  const failures = failedAttemptLimiter({ clock: options.clock })
  const { host } = new URL(options.publicUrl)
  app.get('/enroll/:token', async (request, reply) => {
    const { token } = request.params as { token: string }
    const found = await options.invitation(token)
    if (!found.usable && found.status === 404) {
      const error = failedAttemptError(failures, request.ip, notFound())
      if (error.code === 'rate_limited') throw error
    }
    return sendPage(reply, found.usable ? invitationPage(host, found) : refusedPage(found))
  })
}

const refusedPage = ({ status, text }: Invitation & { usable: false }): AgentPage => ({
  status,
  title: 'This link does not work · Muster',
  body: `<h1>This link does not work</h1><p class="state">${escapeHtml(text)}</p><p>If this browser is already connected, there is nothing to do. The agent's toolbar button shows the connection.</p>`,
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
    ['Valid once, until', `${day(expirationTimestamp)} UTC`],
  ].map(([term = '', value = '']) => `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>`)
  const ask =
    contact === null
      ? 'Ask the person who sent you this link.'
      : `Ask <strong>${escapeHtml(contact)}</strong>.`
  return {
    status: 200,
    title: `Connect this browser to ${host} · Muster`,
    head: '<meta name="muster-enrollment" content="1">',
    body: `<h1>Connect this browser to ${escapeHtml(host)}</h1>
<div class="card"><dl>${facts.join('')}</dl></div>
<h2>What to do</h2>
<ol><li>If the Muster agent is installed in this browser, it now opens a page and asks you to connect. Check the server name and agree.</li>
<li>If no page opens, the agent is not installed: <a href="/agent/">get the agent</a>, then open this link again in the same browser. The link stays valid until it is used.</li></ol>
<p>If this is not you, do not connect. Everything this browser reports would be recorded under this name.</p>
${reported}<h2>Questions?</h2><p>${ask}</p>`,
  }
}

/**
 * Describes `HEARTBEAT`, `EXTENSIONS`, `LOGIN`, `VISIT` and the threats for employees (domain contract,
 * sections 2 and 3).
 */
const reported = `<h2>What the agent reports</h2>
<ul><li>The browser: type, version, language, operating system, and the e-mail address of its profile.</li>
<li>Installed extensions: names, versions and permissions.</li>
<li>Sign-ins to apps: the site, the address or user name, the method, whether there was a second step, and whether the password was typed or filled in.</li>
<li>Visited apps that Muster or the organization lists, and sites where you enter your work address: only the host name, at most once a day.</li>
<li>Threats: blocked addresses, pages that imitate a sign-in or attack the browser, and malicious extensions, with the page address without its query; notices that were shown, and the reason you gave if you were asked for one.</li>
<li>The IP address of each report.</li></ul>
<h2>What it does not report</h2>
<ul><li>Passwords. Neither they nor anything from which they could be guessed leave the browser; only whether a password is weak, reused or known to be stolen.</li>
<li>What you read or write, other pages you visit, your history, bookmarks or files.</li></ul>`
