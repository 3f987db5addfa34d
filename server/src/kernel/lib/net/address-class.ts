import { BlockList, isIP } from 'node:net'

/**
 * Class of an IP address, as seen from this machine. `PRIVATE`: internal networks. `FORBIDDEN`: addresses that no webhook
 * receiver has, such as metadata services, link-local, multicast, unspecified, reserved and documentation addresses, and
 * IPv6 addresses that embed an IPv4 address, which could be of any class.
 */
export type AddressClass = 'PUBLIC' | 'PRIVATE' | 'LOOPBACK' | 'FORBIDDEN'

/** Returns the family of an address, as `BlockList` takes it. */
export const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Creates a list of networks (`10.0.0.0/8`) and single addresses. */
export function networks(...texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/** Networks of this machine only. */
export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128']

// Special-purpose addresses of the IANA registries (RFC 6890 and its successors), and metadata services of clouds.
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
const privateNetworks = networks(
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
/** Only allocated IPv6 addresses are public, except special ones: 6to4 and Teredo embed IPv4 addresses. */
const allocated6 = networks('2000::/3')
const reserved6 = networks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/** Returns the class of an IPv4 or IPv6 address; `FORBIDDEN` for any other text. */
export function addressClass(address: string): AddressClass {
  const version = isIP(address)
  // An address with a zone is link-local, and BlockList does not accept it.
  if (version === 0 || address.includes('%')) return 'FORBIDDEN'
  if (version === 4) return classOf(address, 'ipv4', !reserved4.check(address, 'ipv4'))
  // BlockList would treat an IPv4-mapped IPv6 address as its IPv4 address.
  if (/^[0:]*:ffff:/i.test(address) || address.includes('.')) return 'FORBIDDEN'
  return classOf(address, 'ipv6', allocated6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6'))
}

function classOf(address: string, family: 'ipv4' | 'ipv6', isPublic: boolean): AddressClass {
  if (metadata.check(address, family)) return 'FORBIDDEN'
  if (loopback.check(address, family)) return 'LOOPBACK'
  if (privateNetworks.check(address, family)) return 'PRIVATE'
  return isPublic ? 'PUBLIC' : 'FORBIDDEN'
}
