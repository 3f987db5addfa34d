import { ApiError, type ErrorCode, errorCatalog } from '@muster/contract/api/errors'
import { type OpenApiOptions, openApiDocument } from '@muster/contract/api/openapi'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { docsPage, docsPageHeaders } from './docs-page.ts'

const referencePage = docsPage(
  'Muster API reference',
  '<div id="reference"></div><script src="/docs/assets/before.js"></script><script src="/docs/assets/reference.js"></script><script src="/docs/assets/start.js"></script>',
)

/** Disables code generation in zod, which the content security policy blocks and reports. */
const beforeScript = 'globalThis.__zod_globalConfig = { jitless: true }'

/** Starts the reference without requests to other hosts. Its samples use the address that the page was loaded from. */
const startScript = `Scalar.createApiReference('#reference', { url: '/openapi.json', servers: [{ url: location.origin }], withDefaultFonts: false, defaultOpenAllTags: true, telemetry: false, hideClientButton: true, showDeveloperTools: 'never', agent: { disabled: true }, mcp: { disabled: true } })`

/** Styles apply only within `.error`, since the reference has its own. */
const css = `:root{color-scheme:light dark}body{margin:0;font:16px/1.6 system-ui,sans-serif}.error{max-width:42rem;margin:4rem auto;padding:0 1.5rem}.error code{font-family:ui-monospace,monospace;background:color-mix(in srgb,currentColor 8%,transparent);padding:.1em .35em;border-radius:.3em}.error h1{line-height:1.25}.error a{color:inherit}`

/**
 * Serves the OpenAPI document, the reference page and a page for each error.
 *
 * @param deprecated returns true once the version is deprecated
 */
export function registerDocs(
  app: FastifyInstance,
  options: OpenApiOptions,
  deprecated: () => boolean = () => false,
): void {
  const documents = new Map<boolean, string>()
  /** Renders the document on first use. Its operations are marked as deprecated from the deprecation date. */
  const document = (marked: boolean): string => {
    const known = documents.get(marked) ?? JSON.stringify(openApiDocument({ ...options, deprecated: marked }))
    documents.set(marked, known)
    return known
  }
  app.get('/openapi.json', (_request, reply) => {
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(document(deprecated()))
  })
  app.get('/docs', (_request, reply) => reply.headers(docsPageHeaders).send(referencePage))
  app.get('/docs/', (_request, reply) => reply.redirect('/docs'))
  app.get('/docs/assets/reference.js', async (_request, reply) =>
    asset(reply, 'text/javascript').send(await referenceScript()),
  )
  app.get('/docs/assets/before.js', (_request, reply) => asset(reply, 'text/javascript').send(beforeScript))
  app.get('/docs/assets/start.js', (_request, reply) => asset(reply, 'text/javascript').send(startScript))
  app.get('/docs/assets/page.css', (_request, reply) => asset(reply, 'text/css').send(css))
  app.get('/docs/errors/:code', (request, reply) => {
    const { code } = request.params as { code: string }
    if (!Object.hasOwn(errorCatalog, code))
      throw new ApiError('not_found', 'There is no error with this code.')
    return reply.headers(docsPageHeaders).send(errorPage(code as ErrorCode))
  })
}

const asset = (reply: FastifyReply, type: string) =>
  reply.headers({
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'public, max-age=86400',
  })

function errorPage(code: ErrorCode): string {
  const { status, title, help } = errorCatalog[code]
  const text = help
    .replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
  return docsPage(
    `${code} · Muster`,
    `<main class="error"><p>Error ${status}</p><h1>${title}</h1><p>${text}</p><p>Code: <code>${code}</code></p><p><a href="/docs">API reference</a></p></main>`,
  )
}

let script: Promise<string> | undefined

/** Returns the script of the reference. Its package exposes it only through a Fastify plugin, which is called once. */
function referenceScript(): Promise<string> {
  script ??= (async () => {
    const [{ default: fastify }, { default: plugin }] = await Promise.all([
      import('fastify'),
      import('@scalar/fastify-api-reference'),
    ])
    const holder = fastify()
    await holder.register(plugin, { routePrefix: '/r', configuration: { content: {} } })
    const answer = await holder.inject('/r/js/scalar.js')
    await holder.close()
    return answer.body
  })()
  return script
}
