import { ApiError, type ErrorCode, errorCatalog } from '@muster/contract/errors'
import { type OpenApiOptions, openApiDocument } from '@muster/contract/openapi'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { docsPage, docsPageHeaders } from './docs-page.ts'

const referencePage = docsPage(
  'Muster API reference',
  '<div id="reference"></div><script src="/docs/assets/before.js"></script><script src="/docs/assets/reference.js"></script><script src="/docs/assets/start.js"></script>',
)

/** A part of the reference would try whether it may make functions of text, which the policy forbids and reports. */
const beforeScript = 'globalThis.__zod_globalConfig = { jitless: true }'

/**
 * Starts the reference without anything that would ask another host: the server of its samples and requests is the
 * one that shows it, by the address that the reader reached it by.
 */
const startScript = `Scalar.createApiReference('#reference', { url: '/openapi.json', servers: [{ url: location.origin }], withDefaultFonts: false, defaultOpenAllTags: true, telemetry: false, hideClientButton: true, showDeveloperTools: 'never', agent: { disabled: true }, mcp: { disabled: true } })`

/** Only what stands in `.error` is styled: the reference has elements and styles of its own. */
const css = `:root{color-scheme:light dark}body{margin:0;font:16px/1.6 system-ui,sans-serif}.error{max-width:42rem;margin:4rem auto;padding:0 1.5rem}.error code{font-family:ui-monospace,monospace;background:color-mix(in srgb,currentColor 8%,transparent);padding:.1em .35em;border-radius:.3em}.error h1{line-height:1.25}.error a{color:inherit}`

/**
 * Serves the OpenAPI document, the reference page and a page for each error.
 *
 * @param deprecated whether the version is deprecated by now
 */
export function registerDocs(
  app: FastifyInstance,
  options: OpenApiOptions,
  deprecated: () => boolean = () => false,
): void {
  const documents = new Map<boolean, string>()
  /** Made when it is first asked for: the operations are marked from the day on from which the version is deprecated. */
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
    if (!Object.hasOwn(errorCatalog, code)) throw new ApiError('not_found', 'There is no such error.')
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

/**
 * The script of the reference. Its package holds it for a Fastify plugin of its own; that plugin is
 * asked for it once, when somebody first opens the page.
 */
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
