import { isIdentity } from '../../observe/identity-text.ts'

/** What a page got by FedCM, as the hook in the page's world has it. */
interface FederatedParts {
  readonly configUrl: unknown
  readonly loginHint: unknown
  readonly token: unknown
}

/** What leaves the page's process of it. */
export interface FederatedIdentity {
  readonly providerHost: string
  /** The e-mail address that signed in; null if neither the token nor the request of the page says. */
  readonly email: string | null
}

const tokenMaximum = 20_000
const line = (value: unknown, maximum: number) =>
  typeof value === 'string' && value.length <= maximum ? value : ''

/** Parts as one text of three lines, for events between the worlds of a page carry texts best. */
export const federatedText = ({ configUrl, loginHint, token }: FederatedParts): string =>
  `${line(configUrl, 2_000)}\n${line(token, tokenMaximum)}\n${line(loginHint, 254)}`

/**
 * Reads that text again, in the agent's own world. The token stays there.
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

/** The e-mail address in a token that is a JSON Web Token; null for others, which only their provider can read. */
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
