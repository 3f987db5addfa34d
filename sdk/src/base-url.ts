const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Reads the address of a server: https, or http on this machine, where nobody listens in on the key.
 *
 * @returns the address without `/v1` and slashes at its end
 * @throws TypeError that says what would be right
 */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be an address such as https://muster.example.com')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must be an address without user, query and fragment')
  if (url.protocol === 'http:' && !loopback.test(url.hostname))
    throw new TypeError(
      'baseUrl must begin with https://, or the API key would cross the network in the clear',
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '')
}
