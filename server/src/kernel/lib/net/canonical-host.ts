import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

/** Label of a host name in ASCII form. */
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** Browsers parse a host whose last label is a number as an IPv4 address. */
const parsedAsAddress = /(^|\.)(\d+|0x[0-9a-f]*)$/

/** Returns a host name in lower case and punycode, without a final dot; undefined if the text is not a host name. */
export function canonicalHostName(text: string): string | undefined {
  const name = domainToASCII(text.replace(/\.$/, ''))
  const wellFormed = name !== '' && name.length <= 253 && name.split('.').every((part) => label.test(part))
  return wellFormed && !parsedAsAddress.test(name) ? name : undefined
}

/** Returns an IPv4 address, or a shortened IPv6 address in brackets; undefined if the text is neither. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const inner = /^\[(.*)\]$/.exec(text)?.[1]
  return inner !== undefined && isIPv6(inner) && !inner.includes('%')
    ? new URL(`http://[${inner}]`).hostname
    : undefined
}
