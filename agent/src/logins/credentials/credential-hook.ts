import { getterOf, hookMethod } from '../../page-world/hook-method.ts'
import type { PageVoice } from '../../page-world/page-channel.ts'
import { federatedText } from '../federation/federated-text.ts'

/** As much of a request for a credential as is looked at; the page made it, so nothing in it is sure. */
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
 * Runs in the page's own world, for there is no other place where passkeys and FedCM can be seen: the browser itself
 * speaks with the authenticator and the provider, and no page load shows it. It tells the agent's own world that the
 * browser gave the page a credential; the request, the promise and the credential stay the page's own. Kind, provider
 * and token are read off the credential by the browser's own getters, which no page can put others in place of.
 */
export function hookCredentials(say: PageVoice): void {
  const types = globalThis as CredentialTypes
  const kindOf = getterOf(types.Credential?.prototype, 'type')
  const configOf = getterOf(types.IdentityCredential?.prototype, 'configURL')
  const tokenOf = getterOf(types.IdentityCredential?.prototype, 'token')
  const call = Reflect.apply
  const then = Promise.prototype.then as (...args: readonly unknown[]) => unknown

  const tell = (credential: unknown, request: CredentialRequest | undefined) => {
    const kind = credential && kindOf?.(credential)
    if (kind === 'public-key') say('ASSERTION', '')
    if (kind !== 'identity') return
    const asked = request?.identity?.providers
    const provider = asked?.length === 1 ? asked[0] : undefined
    // Older browsers do not say which provider it was.
    const configUrl = configOf ? configOf(credential) : provider?.configURL
    const said = federatedText({ configUrl, loginHint: provider?.loginHint, token: tokenOf?.(credential) })
    say('FEDERATED_IDENTITY', said)
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
