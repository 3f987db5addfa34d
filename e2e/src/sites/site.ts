/** Request to a site, reduced to the parts that sites use. */
export interface SiteRequest {
  readonly method: string
  readonly host: string
  /** Path and query, on `https://<host>`. */
  readonly url: URL
  /** `Authorization` header; null if missing. */
  readonly authorization: string | null
  readonly cookies: Readonly<Record<string, string>>
  /** Fields of a form, or of a flat JSON object. */
  readonly fields: Readonly<Record<string, string>>
}

export interface SiteResponse {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** HTML unless the headers say otherwise. */
  readonly body?: string
}

/** Responds to known requests; returns undefined for others. */
export type SitePart = (request: SiteRequest) => SiteResponse | undefined

/** Simulated site on one or more host names. */
export interface Site {
  /** `*.example.com` matches all subdomains. */
  readonly hosts: readonly string[]
  readonly respond: SitePart
}

/** Returns the first response of the parts. */
export const firstOf =
  (...parts: readonly SitePart[]): SitePart =>
  (request) => {
    for (const part of parts) {
      const answer = part(request)
      if (answer) return answer
    }
    return undefined
  }

/** Returns a complete page. The body is trusted HTML; external content must be escaped. */
export function htmlPage(title: string, body: string, more: Omit<SiteResponse, 'body'> = {}): SiteResponse {
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head><body>${body}</body></html>`
  return { ...more, body: text }
}

/** Redirects with GET, as pages do after a form was submitted. */
export const redirectTo = (location: string, cookies: readonly string[] = []): SiteResponse => ({
  status: 303,
  headers: { location, ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }) },
})

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/** Password that every site rejects; all others are correct. */
export const wrongPassword = 'wrong horse paperclip 41'

export const isRight = (password: string | undefined): boolean =>
  password !== undefined && password !== '' && password !== wrongPassword
