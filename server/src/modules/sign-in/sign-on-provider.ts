import type { Config } from '../../kernel/config/config.ts'
import { firstOrganization } from '../../kernel/organizations/organizations.ts'
import type { SettingsOf } from '../settings/settings-watch.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { type OidcClient, type OidcSettings, oidcClient, type ProviderFetch } from './oidc-client.ts'

/** Identity provider in effect. */
export interface SignOnProvider {
  readonly issuer: string
  /** Name on the sign-in page. */
  readonly name: string
  readonly client: OidcClient
  /** Fetches the discovery document anew. @throws Error if the provider cannot be used */
  test(): Promise<void>
  /**
   * Organization whose owner has chosen the provider in the console. The provider decides who its people are, so it must not sign
   * in anybody of another organization. Undefined if the operator has chosen it.
   */
  readonly onlyOrg: number | undefined
}

/** Identity provider of administrators, which may change at any time. */
export interface SignOn {
  /** Returns the provider that signs in administrators of an organization; without one, that of the sign-in page. */
  of(org?: number): SignOnProvider | undefined
}

/** Returns the settings of the identity provider; undefined if there is none. */
export function oidcSettings(config: Config): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcName } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer, clientId, clientSecret, name: oidcName }
}

/** Returns a fetch that checks addresses. */
export const guardedFetchBy =
  (guard: AddressGuard): ProviderFetch =>
  (...call) =>
    guardedFetch(guard, ...call)

/** Follows the settings of the identity provider. */
export function signOn(settingsOf: SettingsOf, callbackUrl: string, guard: AddressGuard): SignOn {
  let known: { readonly config: Config; readonly provider: SignOnProvider | undefined } | undefined
  const ofConfig = (config: Config): SignOnProvider | undefined => {
    if (known?.config === config) return known.provider
    const settings = oidcSettings(config)
    const isOwn = config.sources.oidcIssuer === 'console'
    const fetchFrom = isOwn ? guardedFetchBy(guard) : undefined
    const provider = settings && {
      issuer: settings.issuer,
      name: settings.name,
      client: oidcClient(settings, callbackUrl, fetchFrom),
      test: () => oidcClient(settings, callbackUrl, fetchFrom).discover(),
      onlyOrg: isOwn ? firstOrganization : undefined,
    }
    known = { config, provider }
    return provider
  }
  return {
    of: (org = firstOrganization) => {
      const provider = ofConfig(settingsOf(firstOrganization))
      return provider?.onlyOrg === undefined || provider.onlyOrg === org ? provider : undefined
    },
  }
}
