import type { Product } from '@muster/contract/catalog/product'
import { contentLines } from '../text-lines.ts'

/** Form values of a custom product. */
export interface ProductDraft {
  readonly name: string
  /** One host per line; a leading `*.` covers all subdomains. */
  readonly hosts: string
  readonly isProvider: boolean
  /** One per line. */
  readonly words: string
}

export const emptyDraft: ProductDraft = { name: '', hosts: '', isProvider: true, words: '' }

const tokenMaximum = 64

/** Derives a unique app type from a name. */
export function productToken(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, tokenMaximum - 4)
  const base = plain === '' ? 'OWN_APP' : plain
  let token = base
  for (let number = 2; taken.includes(token); number += 1) token = `${base}_${number}`
  return token
}

const linesOf = (text: string): string[] => [...new Set(contentLines(text).map((line) => line.text))]

/** Returns the host of a line, which may be a pasted URL. */
const hostIn = (line: string): string => {
  const [, host = line] = /^(?:https?:\/\/)?([^/:?#]+)/i.exec(line) ?? []
  return host.toLowerCase()
}

/** Converts form values to a product. */
export function productOf(draft: ProductDraft, appType: string): Product {
  const given = linesOf(draft.hosts).map(hostIn)
  const patterns = given.filter((host) => host.startsWith('*.'))
  const hosts = [...new Set(given.map((host) => host.replace(/^\*\./, '')))]
  const name = draft.name.trim()
  return {
    appType,
    friendlyName: name,
    website: `https://${hosts[0] ?? ''}`,
    description: draft.isProvider ? 'Signs employees in to apps.' : 'App of the organization.',
    domains: hosts.filter((host) => !hosts.some((other) => host.endsWith(`.${other}`))),
    loginHosts: draft.isProvider ? hosts : [],
    ...(draft.isProvider && {
      identityProvider: appType,
      brandWords: linesOf(draft.words),
      ...(patterns.length > 0 && { hostPatterns: patterns }),
    }),
  }
}

/** Converts a product to form values. */
export function draftOf(product: Product): ProductDraft {
  const { friendlyName, domains, loginHosts, hostPatterns = [], brandWords = [], identityProvider } = product
  const covered = new Set(hostPatterns.map((pattern) => pattern.slice(2)))
  const hosts = [...new Set([...domains, ...loginHosts])].filter((host) => !covered.has(host))
  return {
    name: friendlyName,
    hosts: [...hosts, ...hostPatterns].join('\n'),
    isProvider: identityProvider !== undefined,
    words: brandWords.join('\n'),
  }
}
