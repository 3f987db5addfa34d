import { fileURLToPath } from 'node:url'
import { notFound } from '@muster/contract/api/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConsoleFile, consoleFiles } from './console-files.ts'
import { setConsoleHeaders } from './console-headers.ts'

const builtPage = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

const missing = `The console has not been built on this server.
Run \`npm run console:build\` in Muster's folder, then reload this page.
`

/**
 * Serves the console under `/console/`, with precompressed files; those with a hash in their name are cached
 * permanently. Other paths return `index.html` for client-side routing.
 *
 * @param folder folder of the built page
 */
export function registerConsolePage(app: FastifyInstance, folder = builtPage): void {
  const readFiles = consoleFiles(folder)
  app.get('/', (_request, reply) => reply.redirect('/console/', 302))
  app.get('/console', (_request, reply) => reply.redirect('/console/', 308))
  app.get('/console/*', (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (path === 'api' || path.startsWith('api/')) throw notFound()
    const files = readFiles()
    if (!files) {
      setConsoleHeaders(reply)
      return reply.code(503).type('text/plain; charset=utf-8').send(missing)
    }
    const file = files.get(path) ?? (isFileName(path) ? undefined : files.get('index.html'))
    if (!file) throw notFound('File not found.')
    return sendFile(request, reply, file)
  })
}

/**
 * Built files are at the top level or in `assets/`. Dots in deeper paths are common, for example in extension
 * IDs.
 */
const isFileName = (path: string): boolean => path.startsWith('assets/') || /^[^/]+\.\w+$/.test(path)

/** Sends a built file, compressed if the browser accepts it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  setConsoleHeaders(reply, file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  void reply.type(file.type).header('vary', 'accept-encoding')
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.identity)
}
