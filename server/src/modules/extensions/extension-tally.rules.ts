import { type ExtensionGroup, namedMaximum } from '@muster/contract/console/extension-group'
import {
  isHostPattern,
  permissionRisk,
  permissionRisks,
  reachesEveryPage,
} from '@muster/contract/console/permission-risk'
import type { BrowserExtension } from '@muster/contract/records/browser-extension'
import { firstCharacters } from '../../kernel/lib/text.ts'

/** Members of an installation that are counted. */
export interface Installation {
  readonly extensionId: string
  readonly employeeId: string
  /**
   * JSON array of version, name, description, permissions, host permissions, update URL and deployment mode.
   */
  readonly facts: string
  readonly enabled: number
  readonly seq: number
}

type Facts = readonly [
  version: string,
  name: string,
  description: string,
  permissions: readonly string[],
  hostPermissions: readonly string[],
  updateUrl: string | null,
  deploymentMode: BrowserExtension['deploymentMode'],
]

interface Counted {
  browsers: number
  enabled: number
  people: number
  lastEmployeeId: string
  firstSeq: number
  /** Number of installations by facts, which most installations of an extension share. */
  readonly variants: Map<string, number>
}

/** Counts by extension ID. */
export type ExtensionTally = Map<string, Counted>

/** Adds installations. All installations of an employee must be in one sequence. */
export function addInstallations(tally: ExtensionTally, installations: readonly Installation[]): void {
  for (const { extensionId, employeeId, facts, enabled, seq } of installations) {
    let counted = tally.get(extensionId)
    if (!counted) {
      counted = {
        browsers: 0,
        enabled: 0,
        people: 0,
        lastEmployeeId: '',
        firstSeq: seq,
        variants: new Map(),
      }
      tally.set(extensionId, counted)
    }
    counted.browsers += 1
    counted.enabled += enabled
    if (counted.lastEmployeeId !== employeeId) counted.people += 1
    counted.lastEmployeeId = employeeId
    counted.firstSeq = Math.min(counted.firstSeq, seq)
    counted.variants.set(facts, (counted.variants.get(facts) ?? 0) + 1)
  }
}

/** Returns the record of an extension, without the blocked flag. */
export function groupOf(
  extensionId: string,
  counted: Counted,
  creationTimestamp: number,
): Omit<ExtensionGroup, 'blocked'> {
  const variants = [...counted.variants]
    .map(([facts, browsers]) => ({ facts: JSON.parse(facts) as Facts, browsers }))
    .sort((one, other) => other.browsers - one.browsers)
  const [, name = '', description = ''] = variants[0]?.facts ?? []
  const versions = new Map<string, number>()
  for (const { facts, browsers } of variants) versions.set(facts[0], (versions.get(facts[0]) ?? 0) + browsers)
  const declared = [...new Set(variants.flatMap(({ facts }) => [...facts[3], ...facts[4]]))]
  const hosts = worstFirst(declared.filter(isHostPattern))
  const permissions = worstFirst(declared.filter((one) => !isHostPattern(one)))
  return {
    id: extensionId,
    extensionId,
    name: firstCharacters(name, 1024),
    description: firstCharacters(description, 1024),
    browsers: counted.browsers,
    enabledBrowsers: counted.enabled,
    people: counted.people,
    versions: [...versions]
      .map(([version, browsers]) => ({ version, browsers }))
      .sort((one, other) => other.browsers - one.browsers || (one.version < other.version ? 1 : -1))
      .slice(0, namedMaximum.versions),
    versionCount: versions.size,
    permissions: permissions.slice(0, namedMaximum.permissions),
    permissionCount: permissions.length,
    hostPermissions: hosts.slice(0, namedMaximum.hosts),
    hostPermissionCount: hosts.length,
    ...reachOf(hosts, permissions),
    source: sourceOf(variants.map(({ facts }) => facts)),
    deploymentModes: [...new Set(variants.map(({ facts }) => facts[6]))].sort(),
    creationTimestamp,
  }
}

type Reach = Pick<ExtensionGroup, 'hostReach' | 'risk' | 'riskScore'>

function reachOf(hosts: readonly string[], permissions: readonly string[]): Reach {
  // Several patterns can have the same risk text; each text counts once.
  const texts = new Map(
    [...hosts, ...permissions].map((one) => permissionRisk(one)).map(({ text, risk }) => [text, risk]),
  )
  const risks = [...texts.values()]
  const countOf = (risk: string) => risks.filter((one) => one === risk).length
  return {
    hostReach: hosts.some(reachesEveryPage) ? 'EVERY_SITE' : hosts.length > 0 ? 'SOME_SITES' : 'NO_SITE',
    risk: permissionRisks.find((risk) => risks.includes(risk)) ?? 'LOW',
    riskScore: 100 * countOf('HIGH') + 10 * countOf('MEDIUM'),
  }
}

const rankOf = (permission: string): number => permissionRisks.indexOf(permissionRisk(permission).risk)

const worstFirst = (permissions: readonly string[]): string[] =>
  permissions.toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))

/** Update hosts of the stores of Chrome, Edge, Opera and Firefox. */
const storeHosts: readonly string[] = [
  'clients2.google.com',
  'edge.microsoft.com',
  'extension-updates.opera.com',
  'addons.mozilla.org',
  'versioncheck.addons.mozilla.org',
]

/** Returns true for an extension from a store. Firefox has no update URL for extensions from its store. */
const isFromStore = ([, , , , , updateUrl, deploymentMode]: Facts): boolean =>
  deploymentMode !== 'DEVELOPMENT' &&
  deploymentMode !== 'SIDELOAD' &&
  (updateUrl === null || storeHosts.includes(URL.parse(updateUrl)?.hostname ?? ''))

function sourceOf(variants: readonly Facts[]): ExtensionGroup['source'] {
  const stored = variants.filter(isFromStore).length
  return stored === variants.length ? 'STORE' : stored === 0 ? 'ELSEWHERE' : 'BOTH'
}
