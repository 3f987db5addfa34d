/** What stands in a text where a secret was. */
export const mask = '***'

/**
 * Paths that pino must never write. Headers and bodies are not logged at all; this is the net below, for the day
 * somebody adds a field to a log line.
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
 * Masks what must not be read in any text: of API keys all but the first 9 characters, by which they are recognized, and
 * the tokens of browsers and enrollments.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/(mstr_[0-9A-Za-z]{4})[0-9A-Za-z]+/g, `$1${mask}`)
    .replace(/(mbc_|met_)[\w-]{8,}/g, `$1${mask}`)
    .replace(/(\/enroll\/)[\w-]+/g, `$1${mask}`)
}

/** Where an address leads, by scheme, host and port: of webhooks the path, or the query, often is what lets one post there. */
export const maskUrlPath = (address: string): string => `${new URL(address).origin}/${mask}`

/** The address with its password masked, if it has one. A text that is no address is masked whole. */
export function maskUrlPassword(address: string): string {
  if (!URL.canParse(address)) return mask
  const url = new URL(address)
  if (url.password !== '') url.password = mask
  for (const name of [...url.searchParams.keys()]) {
    if (/password|secret|token|key/i.test(name)) url.searchParams.set(name, mask)
  }
  return url.href
}
