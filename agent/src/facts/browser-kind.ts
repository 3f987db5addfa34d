import type { BrowserFacts } from '@muster/contract/agent-event'

/** A name and version that a browser gives itself (`navigator.userAgentData`). */
export interface Brand {
  readonly brand: string
  readonly version: string
}

type Kind = BrowserFacts['browser']

/** The names, the most particular first: a Chromium-based browser also says that it is Chromium. */
const brandKinds: readonly (readonly [string, Kind])[] = [
  ['Microsoft Edge', 'EDGE'],
  ['Opera', 'OPERA'],
  ['Opera GX', 'OPERA'],
  ['Brave', 'BRAVE'],
  ['Arc', 'ARC'],
  ['Google Chrome', 'CHROME'],
  ['Chromium', 'CHROME'],
]

/** The same for browsers that have user agents only. */
const agentKinds: readonly (readonly [RegExp, Kind])[] = [
  [/\bEdg(?:e|A|iOS)?\/([\d.]+)/, 'EDGE'],
  [/\bOPR\/([\d.]+)/, 'OPERA'],
  [/\bFirefox\/([\d.]+)/, 'FIREFOX'],
  [/\b(?:Headless)?Chrome\/([\d.]+)/, 'CHROME'],
  [/\bVersion\/([\d.]+).*\bSafari\//, 'SAFARI'],
]

/**
 * The kind and version of a browser.
 *
 * @param brands full versions, as `getHighEntropyValues(['fullVersionList'])` gives them; empty where there are none
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

/** The operating system, as `runtime.getPlatformInfo` names it. */
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
