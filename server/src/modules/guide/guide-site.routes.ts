import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { notFoundPage, sendPage } from '../../kernel/http/agent-page.ts'
import { consoleFiles } from '../console/console-files.ts'
import { setConsoleHeaders } from '../console/console-headers.ts'
import { sendFile } from '../console/console-page.ts'

const builtPage = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

const missing = `The guide has not been built on this server.
Run \`npm run console:build\` in Muster's folder, then reload this page.
`

/**
 * Serves the guide under `/docs/guide/`, to everybody: it contains nothing of an organization.
 *
 * @param folder folder of the built console, which contains the guide
 */
export function registerGuideSite(app: FastifyInstance, folder = builtPage): void {
  const readFiles = consoleFiles(folder)
  app.get('/docs/guide', (_request, reply) => reply.redirect('/docs/guide/', 308))
  app.get('/docs/guide/*', (request, reply) => {
    const path = (request.params as { '*': string })['*']
    const files = readFiles()
    if (!files) {
      setConsoleHeaders(reply)
      return reply.code(503).type('text/plain; charset=utf-8').send(missing)
    }
    const name = path === '' ? 'index' : path.replace(/\.md$/, '')
    const file = files.get(`guide-site/${name}`) ?? files.get(`guide-site/${name}.html`)
    return file ? sendFile(request, reply, file) : sendPage(reply, notFoundPage)
  })
}
