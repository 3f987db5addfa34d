import { fileURLToPath } from 'node:url'
import { notFound } from '@muster/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConsoleFile, consoleFiles } from './console-files.ts'
import { setConsoleHeaders } from './console-headers.ts'

const builtPage = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

const missing = `The page of the console has not been built on this server.
Run \`npm run console:build\` in the folder of Muster; then reload this page.
`

/**
 * Serves the page of the console under `/console/`: each file compressed as it was built, those with a hash in their
 * name for ever. Every other path is a place within the page, which finds its way itself.
 *
 * @param folder where the page was built; the place that `npm run console:build` uses unless told
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
    if (!file) throw notFound('There is no such file')
    return sendFile(request, reply, file)
  })
}

/** Files lie at the top or in one folder. Deeper places may well have a dot: ids of extensions do. */
const isFileName = (path: string): boolean => path.startsWith('assets/') || /^[^/]+\.\w+$/.test(path)

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  setConsoleHeaders(reply, file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  void reply.type(file.type).header('vary', 'accept-encoding')
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.identity)
}
