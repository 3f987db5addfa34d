/** True for an http(s) URL. The console blocks and links to these only. */
export const isWebAddress = (address: string | null): address is string =>
  address !== null && /^https?:$/.test(URL.parse(address)?.protocol ?? '')
