import { notFound } from '@muster/contract/errors'
import { apiVersions } from '@muster/contract/notice'
import type { FastifyInstance } from 'fastify'
import type { VersionDates } from '../../kernel/http/deprecation-headers.ts'
import { docsPage, docsPageHeaders } from '../api-docs/docs-page.ts'

const dateText = (unixSeconds: number): string =>
  `<time datetime="${new Date(unixSeconds * 1000).toISOString()}">${new Date(unixSeconds * 1000).toUTCString()}</time>`

/** What a page says of a version: all that is in it is ours, and needs no escaping. */
function pageOf(version: string, dates: VersionDates | undefined): string {
  const end =
    dates === undefined || dates.sunsetTimestamp === null
      ? 'The day of its end has not been decided.'
      : `Its end is on ${dateText(dates.sunsetTimestamp)}: do not count on it after that.`
  const words = dates
    ? `<p>Version ${version} is deprecated from ${dateText(dates.deprecationTimestamp)}. ${end}</p>
       <p>Find the programs that call <code>/${version}</code>: each API key in the console shows its requests by the hour. Move them to the newer version, which <a href="/docs">the API reference</a> describes, and revoke the keys that nothing uses any more.</p>
       <p>Every answer under <code>/${version}</code> says the same to programs: <code>Deprecation</code> (RFC 9745) has the first date in UNIX seconds, <code>Sunset</code> (RFC 8594) the second one, if it is decided.</p>`
    : `<p>Version ${version} is not deprecated.</p><p><a href="/docs">API reference</a></p>`
  return docsPage(
    `API ${version} · Muster`,
    `<main class="error"><h1>Version ${version} of the API</h1>${words}</main>`,
  )
}

/** Serves a page for each version, where its answers link to. */
export function registerVersionPage(
  app: FastifyInstance,
  datesOf: (version: string) => VersionDates | undefined,
): void {
  app.get('/docs/versions/:version', (request, reply) => {
    const { version } = request.params as { version: string }
    if (!(apiVersions as readonly string[]).includes(version)) throw notFound()
    return reply.headers(docsPageHeaders).send(pageOf(version, datesOf(version)))
  })
}
