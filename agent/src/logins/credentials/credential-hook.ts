import { getterOf, hookMethod } from '../../page-world/hook-method.ts'
import type { PageSender } from '../../page-world/page-channel.ts'
import { federatedText } from '../federation/federated-text.ts'

/** Part of a credential request that is used. The page made it, so every member is untrusted. */
interface CredentialRequest {
  readonly identity?: {
    readonly providers?: readonly { readonly configURL?: unknown; readonly loginHint?: unknown }[]
  }
}

interface CredentialTypes {
  readonly Credential?: { readonly prototype: object }
  readonly CredentialsContainer?: { readonly prototype: object }
  readonly IdentityCredential?: { readonly prototype: object }
}

/**
 * Reports credentials that the browser gives to the page. Runs in the page's own world, the only place where passkeys
 * and FedCM are visible: the browser talks to the authenticator and the provider directly, without a page load. The
 * page's request, promise and credential are left unchanged. Type, provider and token are read with the browser's own
 * getters, which a page cannot replace.
 */
export function hookCredentials(send: PageSender): void {
  const types = globalThis as CredentialTypes
  const kindOf = getterOf(types.Credential?.prototype, 'type')
  const configOf = getterOf(types.IdentityCredential?.prototype, 'configURL')
  const tokenOf = getterOf(types.IdentityCredential?.prototype, 'token')
  const call = Reflect.apply
  const then = Promise.prototype.then as (...args: readonly unknown[]) => unknown

  const tell = (credential: unknown, request: CredentialRequest | undefined) => {
    const kind = credential && kindOf?.(credential)
    if (kind === 'public-key') send('ASSERTION', '')
    if (kind !== 'identity') return
    const asked = request?.identity?.providers
    const provider = asked?.length === 1 ? asked[0] : undefined
    // Older browsers do not expose the provider.
    const configUrl = configOf ? configOf(credential) : provider?.configURL
    const said = federatedText({ configUrl, loginHint: provider?.loginHint, token: tokenOf?.(credential) })
    send('FEDERATED_IDENTITY', said)
  }
  hookMethod(types.CredentialsContainer?.prototype, 'get', (native, args) => {
    const pending = native(args)
    const seen = (credential: unknown) => {
      try {
        tell(credential, args[0] as CredentialRequest | undefined)
      } catch {}
    }
    try {
      call(then, pending, [seen, () => undefined])
    } catch {}
    return pending
  })
}
