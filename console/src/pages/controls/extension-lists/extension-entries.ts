import type { Controls } from '@muster/contract/records/controls'

export type Risk = Controls['badExtensions'][number]['risk']

/** Decision about an extension. */
export interface ExtensionEntry {
  readonly extensionId: string
  /** True if browsers disable it. */
  readonly blocked: boolean
  /** Risk of the detection that it raises; null for no detection. */
  readonly risk: Risk | null
}

type Lists = Pick<Controls, 'blockedExtensionIds' | 'badExtensions'>

/** Merges both lists by extension ID. */
export function entriesOf({ blockedExtensionIds, badExtensions }: Lists): ExtensionEntry[] {
  const blocked = new Set(blockedExtensionIds)
  const risks = new Map(badExtensions.map(({ extensionId, risk }) => [extensionId, risk]))
  return [...new Set([...blocked, ...risks.keys()])].sort().map((extensionId) => ({
    extensionId,
    blocked: blocked.has(extensionId),
    risk: risks.get(extensionId) ?? null,
  }))
}

/** Splits entries into both lists. Entries without a decision are omitted. */
export const listsOf = (entries: readonly ExtensionEntry[]): Lists => ({
  blockedExtensionIds: entries.filter(({ blocked }) => blocked).map(({ extensionId }) => extensionId),
  badExtensions: entries.flatMap(({ extensionId, risk }) => (risk === null ? [] : [{ extensionId, risk }])),
})

const chromium = /[a-p]{32}/
const firefox = /^(?:\{[0-9a-f-]{36}\}|[a-z0-9._-]*@[a-z0-9._-]+)$/i

/** Extracts the extension ID from a line: a Chromium or Firefox ID, or a store URL. */
export function extensionIdIn(line: string): string | undefined {
  const text = line.trim()
  if (firefox.test(text)) return text
  const isAddress = /^https?:\/\//i.test(text)
  const found = chromium.exec(text)?.[0]
  return found !== undefined && (isAddress || text === found) ? found : undefined
}
