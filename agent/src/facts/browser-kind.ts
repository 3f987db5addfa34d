import type { BrowserFacts } from '@muster/contract/agent/agent-event'

/** Name and version that a browser reports (`navigator.userAgentData`). */
export interface Brand {
  readonly brand: string
  readonly version: string
}

type Kind = BrowserFacts['browser']

/** Brand names, most specific first: Chromium-based browsers also report `Chromium`. */
const brandKinds: readonly (readonly [string, Kind])[] = [
  ['Microsoft Edge', 'EDGE'],
  ['Opera', 'OPERA'],
  ['Opera GX', 'OPERA'],
  ['Brave', 'BRAVE'],
  ['Arc', 'ARC'],
  ['Google Chrome', 'CHROME'],
  ['Chromium', 'CHROME'],
]

/** User agent patterns for browsers without client hints. */
const agentKinds: readonly (readonly [RegExp, Kind])[] = [
  [/\bEdg(?:e|A|iOS)?\/([\d.]+)/, 'EDGE'],
  [/\bOPR\/([\d.]+)/, 'OPERA'],
  [/\bFirefox\/([\d.]+)/, 'FIREFOX'],
  [/\b(?:Headless)?Chrome\/([\d.]+)/, 'CHROME'],
  [/\bVersion\/([\d.]+).*\bSafari\//, 'SAFARI'],
]

/**
 * Returns the kind and version of a browser.
 *
 * @param brands full versions from `getHighEntropyValues(['fullVersionList'])`; empty if not supported
 */
export function browserKind(
  brands: readonly Brand[],
  userAgent: string,
): { readonly browser: Kind; readonly version: string } {
  for (const [name, browser] of brandKinds) {
    const found = brands.find(({ brand }) => brand === name)
    if (found) return { browser, version: found.version.slice(0, 128) }
  }
  for (const [pattern, browser] of agentKinds) {
    const version = pattern.exec(userAgent)?.[1]
    if (version !== undefined) return { browser, version: version.slice(0, 128) }
  }
  return { browser: 'OTHER', version: brands.at(-1)?.version.slice(0, 128) ?? '' }
}

/** Maps a platform of `runtime.getPlatformInfo` to an operating system. */
export function operatingSystem(platform: string): BrowserFacts['os'] {
  const known: Readonly<Record<string, BrowserFacts['os']>> = {
    win: 'WINDOWS',
    mac: 'MACOS',
    linux: 'LINUX',
    openbsd: 'OTHER',
    cros: 'CHROMEOS',
  }
  return known[platform] ?? 'OTHER'
}
