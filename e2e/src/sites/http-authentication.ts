import { htmlPage, isRight, type SitePart } from './site.ts'

const passwordOf = (authorization: string | null): string | undefined =>
  Buffer.from(/^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? '', 'base64')
    .toString()
    .split(':')[1]

/** Paths to which the browser itself sends a password. */
export const authenticationPaths: ReadonlySet<string> = new Set(['/files', '/files/budget'])

/** Files behind HTTP authentication. */
export const httpAuthentication: SitePart = ({ url, authorization }) =>
  authenticationPaths.has(url.pathname) && !isRight(passwordOf(authorization))
    ? htmlPage('Unauthorized', '<h1>Unauthorized</h1>', {
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="Files"' },
      })
    : undefined
