import type { Controls } from '@muster/contract/controls'

export type Risk = Controls['badExtensions'][number]['risk']

/** What is decided about an extension. */
export interface ExtensionEntry {
  readonly extensionId: string
  /** Browsers disable it. */
  readonly blocked: boolean
  /** It is a detection where it is found, of this risk; null: it is none. */
  readonly risk: Risk | null
}

type Lists = Pick<Controls, 'blockedExtensionIds' | 'badExtensions'>

/** Both lists as one, by id. */
export function entriesOf({ blockedExtensionIds, badExtensions }: Lists): ExtensionEntry[] {
  const blocked = new Set(blockedExtensionIds)
  const risks = new Map(badExtensions.map(({ extensionId, risk }) => [extensionId, risk]))
  return [...new Set([...blocked, ...risks.keys()])].sort().map((extensionId) => ({
    extensionId,
    blocked: blocked.has(extensionId),
    risk: risks.get(extensionId) ?? null,
  }))
}

/** The lists that entries stand for; an entry that decides nothing is left out. */
export const listsOf = (entries: readonly ExtensionEntry[]): Lists => ({
  blockedExtensionIds: entries.filter(({ blocked }) => blocked).map(({ extensionId }) => extensionId),
  badExtensions: entries.flatMap(({ extensionId, risk }) => (risk === null ? [] : [{ extensionId, risk }])),
})

const chromium = /[a-p]{32}/
const firefox = /^(?:\{[0-9a-f-]{36}\}|[a-z0-9._-]*@[a-z0-9._-]+)$/i

/** The id in a line: an id of Chromium or Firefox, or the address of an extension in a store. */
export function extensionIdIn(line: string): string | undefined {
  const text = line.trim()
  if (firefox.test(text)) return text
  const isAddress = /^https?:\/\//i.test(text)
  const found = chromium.exec(text)?.[0]
  return found !== undefined && (isAddress || text === found) ? found : undefined
}
