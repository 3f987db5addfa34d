import { isIP, type LookupFunction } from 'node:net'
import { addressClass } from '../../../kernel/lib/net/address-class.ts'
import type { HostResolver } from './resolve-host.ts'
import { addressRefusal, type TargetPolicy } from './target.rules.ts'

/** The target has an address that the policy does not allow. */
export class RefusedTargetError extends Error {
  override readonly name = 'RefusedTargetError'
}

/** Checks the addresses of hosts that administrators have chosen, against requests to internal services. */
export interface AddressGuard {
  /** @throws RefusedTargetError if connections to the IP address are not allowed */
  assertAllowed(address: string, secure: boolean): void
  /**
   * Returns the addresses of a host name, or an IP address unchanged.
   *
   * @param secure true for TLS; without it only loopback addresses are allowed
   * @throws RefusedTargetError if one of its addresses is not allowed
   */
  allowedAddresses(name: string, secure: boolean): Promise<readonly string[]>
  /**
   * Returns the `lookup` function of a connection: gives the checked addresses, or resolves and checks them. Connecting to a
   * checked address prevents DNS rebinding. Node does not call it for IP addresses.
   */
  lookUp(secure: boolean, allowed?: readonly string[]): LookupFunction
}

/** Creates a guard for a policy. */
export function addressGuard(policy: TargetPolicy, resolver: Pick<HostResolver, 'resolve'>): AddressGuard {
  const assertAllowed = (address: string, secure: boolean): void => {
    const refusal = addressRefusal(addressClass(address), secure, policy)
    if (refusal !== undefined) throw new RefusedTargetError(refusal)
  }
  const allowedAddresses = async (name: string, secure: boolean): Promise<readonly string[]> => {
    const addresses = isIP(name) === 0 ? await resolver.resolve(name) : [name]
    if (addresses.length === 0) throw new Error('the host has no address')
    for (const address of addresses) assertAllowed(address, secure)
    return addresses
  }
  return {
    assertAllowed,
    allowedAddresses,
    lookUp:
      (secure, allowed) =>
      (name, { all }, callback) => {
        Promise.resolve(allowed ?? allowedAddresses(name, secure))
          .then((addresses) => addresses.map((address) => ({ address, family: isIP(address) })))
          .then(
            (found) =>
              all ? callback(null, found) : callback(null, found[0]?.address ?? '', found[0]?.family),
            (error) => callback(error, '', 0),
          )
      },
  }
}
