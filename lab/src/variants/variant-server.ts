import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { inputName, passwordField, userField } from './form-markup.ts'
import { stepHtml } from './step-markup.ts'
import { taskForm, taskHtml } from './task-forms.ts'
import type { Variant } from './variant-dimensions.ts'
import {
  documentHtml,
  donePage,
  landingPage,
  loginPage,
  obstaclePage,
  outerPage,
  refreshPage,
  stepPage,
} from './variant-pages.ts'
import { byScript } from './variant-rules.ts'
import { wordsOf } from './variant-texts.ts'
import { identityOf } from './variant-truth.ts'

export const rightCode = '246810'
export const wrongCode = '135791'

/** Variant on its own host, with what happened there. */
export interface VariantSite {
  readonly variant: Variant
  readonly host: string
  readonly password: string
}

interface SiteState extends VariantSite {
  isSignedIn: boolean
  passwordRight: boolean
  refused: boolean
  polls: number
  user: string | undefined
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
const json = { 'content-type': 'application/json', 'cache-control': 'no-store' }

const answer = (status: number, body: string, headers: Reply['headers'] = html): Reply => ({
  status,
  body,
  headers,
})

/** Serves the pages of variants, each on its own host. */
export interface VariantServer {
  readonly server: Server
  /** Resets a site to its initial state. */
  reset(site: VariantSite): void
}

/**
 * Starts the server.
 *
 * @param secret registers a used password
 */
export async function openVariantServer(
  port: number,
  secret: (password: string) => string,
): Promise<VariantServer> {
  const sites = new Map<string, SiteState>()
  const server = createServer((incoming, outgoing) => {
    const host = (incoming.headers.host ?? '').replace(/:\d+$/, '').replace(/^(?:id|sso)\./, '')
    const site = sites.get(host)
    if (site === undefined) return outgoing.writeHead(404).end()
    void serve(site, incoming, outgoing).catch(() => outgoing.destroy())
    return
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    reset: (site) => {
      secret(site.password)
      sites.set(site.host, {
        ...site,
        isSignedIn: false,
        passwordRight: false,
        refused: false,
        polls: 0,
        user: undefined,
      })
    },
  }
}

async function serve(site: SiteState, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { pathname } = new URL(incoming.url ?? '/', `https://${site.host}`)
  const { status, headers, body } =
    incoming.method === 'GET' ? get(site, pathname) : await post(site, pathname, incoming)
  outgoing.writeHead(status, headers).end(body)
}

async function post(site: SiteState, path: string, incoming: IncomingMessage): Promise<Reply> {
  const fields = fieldsOf(await readText(incoming), incoming.headers['content-type'] ?? '')
  await wait(site.variant.delay)
  if (site.variant.task !== 'login') return postTask(site, path)
  if (path === '/who') return answer(200, '{}', json)
  return path === '/verify' ? postCode(site, fields) : postLogin(site, path, fields)
}

const fieldsOf = (body: string, type: string): Readonly<Record<string, string | undefined>> =>
  type.includes('json') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))

const to = (location: string, more: Record<string, string> = {}) => ({ location, ...more })
const cookie = () => ({ 'set-cookie': `session=${randomBytes(9).toString('hex')}; Path=/; Secure; HttpOnly` })

function get(site: SiteState, path: string): Reply {
  const { variant } = site
  const isInner = path === '/inner'
  if (path === '/home')
    return site.isSignedIn ? answer(200, landingPage(variant)) : answer(302, '', to('/login'))
  if (path === '/poll') {
    site.polls += 1
    if (site.polls < 3) return answer(200, '{"go":"wait"}', json)
    site.isSignedIn = true
    return answer(200, '{"go":"in"}', { ...json, ...cookie() })
  }
  if (path === '/verify') {
    if (site.isSignedIn) return answer(200, landingPage(variant))
    const refused = takeRefused(site)
    return answer(200, stepPage(variant, refused))
  }
  if (path === '/done') return answer(200, donePage(variant))
  if (path === '/hop') return answer(302, '', to(`https://${site.host}/home`))
  if (path === '/obstacle') return answer(200, obstaclePage(variant))
  if (path === '/wait') return answer(200, refreshPage(variant))
  if (path === '/task/done')
    return answer(200, documentHtml(variant, 'Works', `<p>OK</p><span data-q="home">·</span>`))
  if (variant.task !== 'login') return answer(200, taskPage(site, ''))
  if (['/login', '/login/password', '/inner'].includes(path)) {
    if (site.isSignedIn) return answer(200, landingPage(variant))
    if (!isInner && ['iframe', 'foreign-iframe', 'popup'].includes(variant.structure))
      return answer(200, outerPage(variant, site.host))
    return answer(
      200,
      loginPage(variant, {
        refused: takeRefused(site),
        inner: isInner,
        knownUser: path === '/login/password' ? site.user : undefined,
      }),
    )
  }
  return answer(404, documentHtml(variant, '404', '<h1>404</h1>'))
}

const takeRefused = (site: SiteState): boolean => {
  const { refused } = site
  site.refused = false
  return refused
}

function postLogin(site: SiteState, path: string, fields: ReturnType<typeof fieldsOf>): Reply {
  const { variant } = site
  if (variant.structure === 'page-steps' && path === '/login') {
    site.user = fields[inputName(variant, userField(variant))] ?? ''
    return answer(303, '', to('/login/password'))
  }
  const password = fields.password ?? fields[inputName(variant, passwordField(variant))]
  const isCodeRight = variant.step !== 'totp-same-form' || Object.values(fields).includes(rightCode)
  if (password !== site.password || !isCodeRight) return refuse(site, path)
  const asksStep = !['none', 'totp-same-form'].includes(variant.step) && variant.stepEnd !== 'remembered'
  site.passwordRight = true
  if (asksStep) return byScript(variant) ? answer(200, '{"go":"step"}', json) : answer(303, '', to('/verify'))
  return admit(site, path)
}

/** Signs the person in, with the route of the variant. */
function admit(site: SiteState, path: string): Reply {
  const { variant, host } = site
  site.isSignedIn = true
  if (byScript(variant)) return answer(200, '{"go":"in"}', { ...json, ...cookie() })
  if (['iframe', 'foreign-iframe', 'popup'].includes(variant.structure))
    return answer(302, '', to('/done', cookie()))
  switch (variant.route) {
    case 'same-address':
      return answer(303, '', to(path === '/session' || path === '/verify' ? '/login' : path, cookie()))
    case 'page-200':
      return answer(200, landingPage(variant), { ...html, ...cookie() })
    case 'two-hosts':
      return answer(302, '', to(`https://sso.${host}/hop`, cookie()))
    case 'meta-refresh':
      return answer(200, refreshPage(variant), { ...html, ...cookie() })
    default:
      return answer(302, '', to('/home', cookie()))
  }
}

function refuse(site: SiteState, path: string): Reply {
  const { variant } = site
  const isInner = ['iframe', 'foreign-iframe', 'popup'].includes(variant.structure)
  const back = isInner ? '/inner' : variant.structure === 'page-steps' ? '/login/password' : '/login'
  const again = () =>
    loginPage(variant, {
      refused: true,
      inner: isInner,
      knownUser: path === '/login/password' ? site.user : undefined,
    })
  switch (variant.refusal) {
    case 'page-303':
    case 'page-302':
      site.refused = true
      return answer(
        variant.refusal === 'page-303' ? 303 : 302,
        '',
        to(variant.refusal === 'page-303' ? back : `${back}?error=1`),
      )
    case 'page-200':
      return answer(200, again())
    case 'page-401':
      return answer(401, again())
    case 'page-lockout':
    case 'page-captcha':
      return answer(302, '', to('/obstacle'))
    case 'fetch-reload':
      site.refused = true
      return answer(200, '{"ok":false}', json)
    default: {
      const status = Number(/\d+/.exec(variant.refusal)?.[0] ?? 200)
      return answer(status, '{"ok":false,"go":"no"}', json)
    }
  }
}

function postCode(site: SiteState, fields: ReturnType<typeof fieldsOf>): Reply {
  const { variant } = site
  const isRight =
    fields.code === rightCode || fields.key !== undefined || Object.values(fields).includes(rightCode)
  if (fields.key !== undefined && site.passwordRight) {
    // A script submits the security key's response, even if the form is submitted as a document.
    site.isSignedIn = true
    return answer(200, '{"go":"in"}', { ...json, ...cookie() })
  }
  if (isRight && site.passwordRight) return admit(site, '/verify')
  site.refused = true
  return byScript(variant) ? answer(401, '{"ok":false}', json) : answer(303, '', to('/verify'))
}

const codeForm = (variant: Variant): string => stepHtml({ ...variant, step: 'mail' }, 'mail')

function taskPage(site: SiteState, error: string): string {
  const form = taskForm(site.variant, site.password)
  if (form === undefined) throw new Error('a login has no task form')
  const submit = byScript(site.variant)
    ? `<script>document.getElementById('f1').onsubmit = async (event) => {
event.preventDefault()
const reply = await fetch('${form.path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
const { html } = await reply.json()
document.querySelector('[data-place]').innerHTML = html
}</script>`
    : ''
  return documentHtml(
    site.variant,
    form.title,
    `<div data-place>${taskHtml(site.variant, form, error)}</div>${submit}`,
  )
}

function postTask(site: SiteState, path: string): Reply {
  const { variant } = site
  const isScript = byScript(variant)
  const inserted = (text: string) => answer(200, JSON.stringify({ html: text }), json)
  if (variant.task === 'sign-up-taken') {
    const { taken } = wordsOf(variant.language)
    const form = taskForm(variant, site.password)
    if (isScript && form) return inserted(`${taskHtml(variant, form, taken)}<span data-q="home">·</span>`)
    return answer(200, taskPage(site, taken).replace('<body>', '<body><span data-q="home">·</span>'))
  }
  if (variant.task === 'sign-up-mail-code' && path !== '/verify') {
    const page = codeForm(variant)
    // A code is submitted as a document even by scripted forms, as with many products.
    return isScript ? inserted(page) : answer(200, documentHtml(variant, 'Works', page))
  }
  if (['sign-up', 'sign-up-mail-code', 'checkout-account'].includes(variant.task)) {
    site.isSignedIn = true
    return isScript && path !== '/verify'
      ? answer(200, JSON.stringify({ html: `<p>${identityOf(variant)}</p><span data-q="home">·</span>` }), {
          ...json,
          ...cookie(),
        })
      : answer(302, '', to('/home', cookie()))
  }
  return isScript ? inserted('<p>OK</p><span data-q="home">·</span>') : answer(302, '', to('/task/done'))
}
