/** A request to a site, as much of it as the sites look at. */
export interface SiteRequest {
  readonly method: string
  readonly host: string
  /** Path and query, on `https://<host>`. */
  readonly url: URL
  /** The `Authorization` header; null if there is none. */
  readonly authorization: string | null
  readonly cookies: Readonly<Record<string, string>>
  /** The fields of a form, or of a flat JSON object. */
  readonly fields: Readonly<Record<string, string>>
}

export interface SiteResponse {
  /** 200 if left out. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** HTML unless the headers say otherwise. */
  readonly body?: string
}

/** Answers what it knows, and gives undefined for the rest. */
export type SitePart = (request: SiteRequest) => SiteResponse | undefined

/** What stands for a real site, on one or more host names. */
export interface Site {
  /** `*.example.com`: all below. */
  readonly hosts: readonly string[]
  readonly respond: SitePart
}

/** The first answer that one of the parts has. */
export const firstOf =
  (...parts: readonly SitePart[]): SitePart =>
  (request) => {
    for (const part of parts) {
      const answer = part(request)
      if (answer) return answer
    }
    return undefined
  }

/** A whole page. The body is HTML of our own; what came from outside has to be escaped before. */
export function htmlPage(title: string, body: string, more: Omit<SiteResponse, 'body'> = {}): SiteResponse {
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head><body>${body}</body></html>`
  return { ...more, body: text }
}

/** Goes on elsewhere by GET, as pages do after a form was sent. */
export const redirectTo = (location: string, cookies: readonly string[] = []): SiteResponse => ({
  status: 303,
  headers: { location, ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }) },
})

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** A password that every site refuses; every other is right. */
export const wrongPassword = 'wrong horse paperclip 41'

export const isRight = (password: string | undefined): boolean =>
  password !== undefined && password !== '' && password !== wrongPassword
