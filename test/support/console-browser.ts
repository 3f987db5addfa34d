import type { Role } from '@muster/contract/console/console-operation'
import type { InjectOptions } from 'fastify'
import { unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { organizationOf } from '../../server/src/kernel/organizations/organizations.ts'
import { createInvitation, createSetupLink } from '../../server/src/modules/administrators/console-links.ts'
import type { Harness, HarnessResponse, JsonValue } from './harness.ts'

export const consoleOrigin = 'https://muster.test'
export const goodPassword = 'correct horse battery staple'

/** Browser with an open console page. Stores cookies and sends the headers of browsers and of the page. */
export interface ConsoleBrowser {
  readonly cookies: Map<string, string>
  call<T = JsonValue>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<HarnessResponse<T> & { setCookies: string[] }>
}

/** Opens a browser, by default with its own IP address. */
export function consoleBrowser(h: Harness, address = nextAddress()): ConsoleBrowser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    call: async (method, path, body, headers = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const sent: Record<string, string | undefined> = {
        'sec-fetch-site': 'same-origin',
        ...(method === 'GET' ? {} : { origin: consoleOrigin, 'x-muster-console': '1' }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === '' ? {} : { cookie }),
        ...headers,
      }
      const request = {
        method,
        url: path.startsWith('/') ? path : `/console/api/${path}`,
        remoteAddress: address,
        headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      } as InjectOptions
      const response = await h.app.inject(request)
      const setCookies = [response.headers['set-cookie'] ?? []].flat()
      for (const line of setCookies) keepCookie(cookies, line)
      const type = String(response.headers['content-type'] ?? '')
      return {
        status: response.statusCode,
        headers: response.headers as Record<string, string>,
        body: /\bjson\b/.test(type) && response.body !== '' ? JSON.parse(response.body) : undefined,
        text: response.body,
        setCookies,
      }
    },
  }
}

let lastAddress = 0
const nextAddress = (): string => {
  lastAddress += 1
  return `10.1.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const name = pair.slice(0, pair.indexOf('='))
  const gone = attributes.some((attribute) => /^(Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(attribute))
  if (gone) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}

/** Browser of a signed-in administrator. */
export interface SignedIn extends ConsoleBrowser {
  readonly org: number
  readonly id: string
  readonly email: string
}

const linkOrigin = (h: Harness) => ({
  publicUrl: consoleOrigin,
  id: newId(h.clock.nowMs()),
  nowSeconds: unixSeconds(h.clock),
})

/**
 * Creates a setup link. @returns its token, empty if there is an administrator
 */
export async function setupToken(h: Harness, org: number): Promise<string> {
  const organization = await organizationOf(h.db, org)
  const created = organization && (await createSetupLink(h.db, linkOrigin(h), organization))
  return created?.link.split('#')[1] ?? ''
}

let people = 0

/** Adds an administrator with a password and signs them in. */
export async function signedIn(h: Harness, org: number, role: Role = 'OWNER'): Promise<SignedIn> {
  people += 1
  const email = `${role.toLowerCase()}-${people}@example.com`
  const invitation = await h.db.inTransaction((tx) =>
    createInvitation(tx, linkOrigin(h), { org, email, role, invitedBy: null }),
  )
  const browser = consoleBrowser(h)
  const token = invitation.link.split('#')[1]
  const answer = await browser.call('POST', 'links/accept', { token, password: goodPassword, name: 'Ada' })
  if (answer.status !== 200) throw new Error(`the invitation was not accepted: ${answer.text}`)
  return { ...browser, org, email, id: answer.body.administrator.id }
}
