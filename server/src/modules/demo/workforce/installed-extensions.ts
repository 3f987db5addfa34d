import type { ExtensionFacts } from '@muster/contract/agent/agent-event'
import type { SeededRandom } from '../../../kernel/lib/secrets/seeded-random.ts'
import { type SampleExtension, sampleExtensions } from './extension-samples.ts'

/** Extension in one browser. Days are counted from the first simulated day. */
export interface InstalledExtension {
  readonly extensionId: string
  readonly fromDay: number
  readonly untilDay: number
  factsOn(day: number): ExtensionFacts
}

/** Returns the extensions of a browser, with the probabilities of the samples. */
export const installedExtensions = (random: SeededRandom, days: number): InstalledExtension[] =>
  sampleExtensions
    .filter(({ reach }) => random.chance(reach))
    .map((sample) => installed(random, sample, days))

const modes = [
  'MANUAL',
  'MANUAL',
  'MANUAL',
  'MANUAL',
  'MANUAL',
  'MANUAL',
  'MANAGED',
  'SIDELOAD',
  'OTHER',
] as const

function installed(random: SeededRandom, sample: SampleExtension, days: number): InstalledExtension {
  const isInHouse = sample.name.startsWith('Northgate')
  const isDevelopment = !isInHouse && random.chance(0.015)
  const deploymentMode = isInHouse ? 'MANAGED' : isDevelopment ? 'DEVELOPMENT' : random.pick(modes)
  const fromDay = isInHouse || random.chance(0.75) ? 0 : random.below(days)
  const disabledFrom = random.chance(0.08) ? random.below(days) : Number.POSITIVE_INFINITY
  const disabledReason = random.pick(['permissions_increase', 'unknown'])
  const releases = 20 + random.below(60)
  const minor = random.below(12)
  const hasVersionName = random.chance(0.1)
  return {
    extensionId: sample.extensionId,
    fromDay,
    untilDay: !isInHouse && random.chance(0.12) ? fromDay + 1 + random.below(days) : days,
    factsOn(day) {
      const version = `${1 + (sample.name.length % 7)}.${minor}.${Math.floor(day / releases)}`
      const enabled = day < disabledFrom
      return {
        extensionId: sample.extensionId,
        name: sample.name,
        description: sample.description,
        deploymentMode,
        permissions: [...sample.permissions],
        hostPermissions: [...sample.hostPermissions],
        version,
        versionName: hasVersionName ? `${version} stable` : null,
        enabled,
        disabledReason: enabled ? null : disabledReason,
        updateUrl: isDevelopment ? null : 'https://clients2.google.com/service/update2/crx',
        homePageUrl: sample.homePageUrl,
      }
    },
  }
}
