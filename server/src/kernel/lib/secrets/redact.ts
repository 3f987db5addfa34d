/** Replacement for a secret. */
export const mask = '***'

/**
 * Paths that pino redacts. Headers and bodies are not logged at all; this protects against fields that are added to log lines
 * later.
 */
export const redactPaths: readonly string[] = [
  'req.headers["x-api-key"]',
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  'headers["x-api-key"]',
  'headers.authorization',
  'headers.cookie',
  ...['password', 'passwordSha1', 'apiKey', 'secret', 'secretKey', 'credential', 'token'].flatMap((name) => [
    name,
    `*.${name}`,
  ]),
]

/**
 * Masks secrets in a text: API keys after their first 9 characters, by which they are recognized, and the tokens of browsers
 * and enrollments.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/(mstr_[0-9A-Za-z]{4})[0-9A-Za-z]+/g, `$1${mask}`)
    .replace(/(mbc_|met_)[\w-]{8,}/g, `$1${mask}`)
    .replace(/(\/enroll\/)[\w-]+/g, `$1${mask}`)
}

/** Returns a URL with its path and query masked: for webhooks they often contain the secret. */
export const maskUrlPath = (address: string): string => `${new URL(address).origin}/${mask}`

/** Masks the password and secret parameters of a URL. Masks any other text completely. */
export function maskUrlPassword(address: string): string {
  if (!URL.canParse(address)) return mask
  const url = new URL(address)
  if (url.password !== '') url.password = mask
  for (const name of [...url.searchParams.keys()]) {
    if (/password|secret|token|key/i.test(name)) url.searchParams.set(name, mask)
  }
  return url.href
}
