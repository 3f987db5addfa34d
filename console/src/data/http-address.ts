/** Whether an address is of the web. Only those can be blocked, and only to those the console links. */
export const isWebAddress = (address: string | null): address is string =>
  address !== null && /^https?:$/.test(URL.parse(address)?.protocol ?? '')
