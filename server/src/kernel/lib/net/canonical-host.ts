import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

/** One label of a host name in its ASCII form. */
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** Browsers read a host whose last label is a number as an address. */
const readAsAddress = /(^|\.)(\d+|0x[0-9a-f]*)$/

/** A host name in lower case and punycode, without a final dot; undefined if the text is none. */
export function canonicalHostName(text: string): string | undefined {
  const name = domainToASCII(text.replace(/\.$/, ''))
  const wellFormed = name !== '' && name.length <= 253 && name.split('.').every((part) => label.test(part))
  return wellFormed && !readAsAddress.test(name) ? name : undefined
}

/** An IPv4 address in its usual spelling, or an IPv6 address in brackets, shortened; undefined if the text is neither. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const inner = /^\[(.*)\]$/.exec(text)?.[1]
  return inner !== undefined && isIPv6(inner) && !inner.includes('%')
    ? new URL(`http://[${inner}]`).hostname
    : undefined
}
