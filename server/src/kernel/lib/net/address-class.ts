import { BlockList, isIP } from 'node:net'

/**
 * What an IP address leads to, seen from this machine. `PRIVATE`: a network of one's own; `FORBIDDEN`: what no server of
 * anybody has: metadata services, link-local, multicast, unspecified, reserved, documentation, and IPv6 addresses that
 * stand for an IPv4 address, behind which anything could be.
 */
export type AddressClass = 'PUBLIC' | 'PRIVATE' | 'LOOPBACK' | 'FORBIDDEN'

/** What a `BlockList` has to be told of an address. */
export const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A list of networks, `10.0.0.0/8`, and of single addresses. */
export function networks(...texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/** The networks that lead nowhere but to this machine. */
export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128']

// IANA's registries of special-purpose addresses (RFC 6890 and its successors), and what clouds serve metadata by.
const metadata = networks(
  '169.254.169.254', // nearly all
  '168.63.129.16', // Azure
  '100.100.100.200', // Alibaba Cloud
  'fd00:ec2::254', // Amazon
  'fd20:ce::254', // Google
  'fd00:c1::a9fe:a9fe', // Oracle
  'fd00:42::42', // Scaleway
)
const loopback = networks(...loopbackNetworks)
const ownNetworks = networks(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
)
const reserved4 = networks(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
)
/** Of IPv6 only what is handed out is public, less what in it is special: 6to4 and Teredo lead to IPv4 addresses. */
const handedOut6 = networks('2000::/3')
const reserved6 = networks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/** @param address an IPv4 or IPv6 address; whatever is none is `FORBIDDEN` */
export function addressClass(address: string): AddressClass {
  const version = isIP(address)
  // With a zone it is link-local, and the lists below would not take it.
  if (version === 0 || address.includes('%')) return 'FORBIDDEN'
  if (version === 4) return classOf(address, 'ipv4', !reserved4.check(address, 'ipv4'))
  // The lists know an IPv4 address also as it is written within IPv6, which is not to be taken for that here.
  if (/^[0:]*:ffff:/i.test(address) || address.includes('.')) return 'FORBIDDEN'
  return classOf(address, 'ipv6', handedOut6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6'))
}

function classOf(address: string, family: 'ipv4' | 'ipv6', isPublic: boolean): AddressClass {
  if (metadata.check(address, family)) return 'FORBIDDEN'
  if (loopback.check(address, family)) return 'LOOPBACK'
  if (ownNetworks.check(address, family)) return 'PRIVATE'
  return isPublic ? 'PUBLIC' : 'FORBIDDEN'
}
