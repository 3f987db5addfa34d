import { parse } from 'tldts'

/**
 * Returns the kind of public suffix that a host name is: `REGISTRY` for names such as `com` and `co.uk`, `HOSTING` for domains
 * under which customers of one company have sites, such as `github.io`; undefined for any other host.
 */
export function publicSuffixKind(host: string): 'REGISTRY' | 'HOSTING' | undefined {
  const { publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true })
  if (publicSuffix !== host) return undefined
  if (isIcann) return 'REGISTRY'
  return isPrivate ? 'HOSTING' : undefined
}
