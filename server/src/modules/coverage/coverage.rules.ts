import { type Coverage, coverageVersionsMaximum } from '@muster/contract/console/rollout/console-coverage'

/** Number of active browsers of a kind, browser version and agent version. */
export interface VersionCount {
  readonly browser: string
  readonly version: string
  readonly agent: string
  readonly browsers: number
}

/** Returns the major version: `142` of `142.0.7444.60`. */
export const majorVersionOf = (version: string): string => version.split('.')[0] ?? ''

/** Sums up the counts of active browsers by kind and major version, and by version of the agent. */
export function sumVersions(counts: readonly VersionCount[]): Pick<Coverage, 'versions' | 'agents'> {
  const versions = sums(counts, ({ browser, version }) => [browser, majorVersionOf(version)])
  const agents = sums(counts, ({ agent }) => [agent])
  return {
    versions: versions.map(({ names: [browser = '', version = ''], browsers }) => ({
      browser: browser as Coverage['versions'][number]['browser'],
      version,
      browsers,
    })),
    agents: agents.map(({ names: [version = ''], browsers }) => ({ version, browsers })),
  }
}

/** Adds up counts by names, the highest first. */
function sums(counts: readonly VersionCount[], namesOf: (count: VersionCount) => readonly string[]) {
  const found = new Map<string, { names: readonly string[]; browsers: number }>()
  for (const count of counts) {
    const names = namesOf(count)
    const key = names.join('\n')
    const sum = found.get(key) ?? { names, browsers: 0 }
    found.set(key, { names, browsers: sum.browsers + Number(count.browsers) })
  }
  return [...found]
    .toSorted(([one, a], [other, b]) => b.browsers - a.browsers || (one < other ? -1 : 1))
    .map(([, sum]) => sum)
    .slice(0, coverageVersionsMaximum)
}
