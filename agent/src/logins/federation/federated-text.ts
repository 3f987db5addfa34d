import { isIdentity } from '../../observe/identity-text.ts'

/** Values that the hook in the page's world reads from a FedCM credential. */
interface FederatedParts {
  readonly configUrl: unknown
  readonly loginHint: unknown
  readonly token: unknown
}

/** Part of it that leaves the page's process. */
export interface FederatedIdentity {
  readonly providerHost: string
  /** E-mail address that signed in; null if neither the token nor the page's request contains it. */
  readonly email: string | null
}

const tokenMaximum = 20_000
const line = (value: unknown, maximum: number) =>
  typeof value === 'string' && value.length <= maximum ? value : ''

/**
 * Encodes the values as three lines of text, because events between the worlds of a page carry strings most reliably.
 */
export const federatedText = ({ configUrl, loginHint, token }: FederatedParts): string =>
  `${line(configUrl, 2_000)}\n${line(token, tokenMaximum)}\n${line(loginHint, 254)}`

/**
 * Decodes that text in the agent's own world. The token stays there.
 *
 * @returns null if no provider is named
 */
export function federatedIdentity(text: string): FederatedIdentity | null {
  const [configUrl = '', token = '', loginHint = ''] = text.split('\n')
  const provider = URL.parse(configUrl)
  if (provider?.protocol !== 'https:') return null
  return { providerHost: provider.hostname, email: emailOfToken(token) ?? asEmail(loginHint) }
}

const asEmail = (value: unknown): string | null =>
  typeof value === 'string' && value.includes('@') && isIdentity(value) ? value : null

/** Returns the e-mail address in a JSON Web Token; null for other tokens, which only their provider can read. */
function emailOfToken(token: string): string | null {
  const [, payload = '', signature] = token.split('.')
  if (signature === undefined) return null
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>> | null
    return asEmail(claims?.email) ?? asEmail(claims?.preferred_username)
  } catch {
    return null
  }
}
