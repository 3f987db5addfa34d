/** True for an http(s) address. Only those can be blocked, and the console links only to those. */
export const isWebAddress = (address: string | null): address is string =>
  address !== null && /^https?:$/.test(URL.parse(address)?.protocol ?? '')
