import { notFound } from '@muster/contract/api/errors'
import { apiVersions } from '@muster/contract/records/notice'
import type { FastifyInstance } from 'fastify'
import type { VersionDates } from '../../kernel/http/v1.ts'
import { docsPage, docsPageHeaders } from '../api-docs/docs-page.ts'

const dateText = (unixSeconds: number): string =>
  `<time datetime="${new Date(unixSeconds * 1000).toISOString()}">${new Date(unixSeconds * 1000).toUTCString()}</time>`

/** Renders the page of a version. It contains no user input and needs no escaping. */
function pageOf(version: string, dates: VersionDates | undefined): string {
  const end =
    dates === undefined || dates.sunsetTimestamp === null
      ? 'An end date has not been decided yet.'
      : `It may stop working after ${dateText(dates.sunsetTimestamp)}.`
  const words = dates
    ? `<p>Version ${version} is deprecated from ${dateText(dates.deprecationTimestamp)}. ${end}</p>
       <p>Find the programs that call <code>/${version}</code>: the console shows the requests of each API key by the hour. Move them to the newer version, which is described in the <a href="/docs">API reference</a>, and revoke keys that are no longer used.</p>
       <p>Responses under <code>/${version}</code> have these dates in headers: <code>Deprecation</code> (RFC 9745) is the deprecation date in UNIX seconds, <code>Sunset</code> (RFC 8594) the end date, if decided.</p>`
    : `<p>Version ${version} is not deprecated.</p><p><a href="/docs">API reference</a></p>`
  return docsPage(
    `API ${version} · Muster`,
    `<main class="error"><h1>Version ${version} of the API</h1>${words}</main>`,
  )
}

/** Serves a page for each version, which the Link header of its responses points to. */
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
