import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { readBody } from '../../e2e/src/recording.ts'
import { siteRequest } from '../../e2e/src/site-server.ts'
import { htmlPage, type SitePart, type SiteResponse } from '../../e2e/src/sites/site.ts'
import type { Stage } from './lab-product.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.png': 'image/png',
}

/** Folders served below a path. */
export type Files = Readonly<Record<string, string>>

/**
 * Serves the lab's own pages and API on a host: around a vendor's widget, or for flows that no product has.
 *
 * @param respond responds like the sites of e2e; undefined is 404
 */
export async function serveOwn(
  { serve, defer }: Stage,
  host: string,
  respond: SitePart | ((request: Parameters<SitePart>[0]) => Promise<SiteResponse | undefined>),
  files: Files = {},
): Promise<void> {
  const port = await serve(host)
  const server = createServer((incoming, outgoing) => {
    const file = fileFor(incoming, files)
    if (file !== undefined) {
      outgoing.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
      createReadStream(file).pipe(outgoing)
      return
    }
    void answer(incoming, respond)
      .catch((error: Error): SiteResponse => ({ status: 500, body: error.message }))
      .then(({ status = 200, headers = {}, body = '' }) => {
        outgoing.writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          ...(headers as Record<string, string | string[]>),
        })
        outgoing.end(body)
      })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  defer(() => {
    server.close()
    server.closeAllConnections()
  })
}

async function answer(
  incoming: IncomingMessage,
  respond: Parameters<typeof serveOwn>[2],
): Promise<SiteResponse> {
  const asked = siteRequest(incoming, (await readBody(incoming)).toString('utf8'))
  return (await respond(asked)) ?? { status: 404, body: 'Not found' }
}

function fileFor({ url = '/' }: IncomingMessage, files: Files): string | undefined {
  const { pathname } = new URL(url, 'https://localhost')
  for (const [prefix, folder] of Object.entries(files)) {
    if (!pathname.startsWith(prefix)) continue
    const path = join(folder, normalize(`/${decodeURIComponent(pathname.slice(prefix.length))}`))
    if (extname(path) !== '' && existsSync(path)) return path
  }
  return undefined
}

/** Returns a JSON response. */
export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): SiteResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** Returns a page for signed-in users. */
export const homePage = (user: string): SiteResponse =>
  htmlPage('Home', `<h1 id="home">Welcome, ${user}</h1><a id="sign-out" href="/logout">Sign out</a>`)

/**
 * Bundles a script of the lab with packages of a product, using the product's esbuild. Returns the folder with
 * `page.js`.
 */
export async function bundle({ exec, installed, data }: Stage, source: string): Promise<string> {
  const options = ['--bundle', '--outfile=page.js', '--loader=jsx', '--jsx=automatic', '--minify']
  const defined = ['--define:process.env.NODE_ENV="production"', '--define:global=window']
  await exec(
    join(installed, 'node_modules', '.bin', 'esbuild'),
    [...options, ...defined, '--banner:js=var process = { env: {} };', '--log-level=error'],
    {
      env: { NODE_PATH: join(installed, 'node_modules') },
      input: source,
      cwd: data,
    },
  )
  return data
}
