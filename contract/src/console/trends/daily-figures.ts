import { detectionTypes } from '../../records/detection.ts'
import { findingTypes } from '../../records/finding.ts'
import type { FindingType } from '../../records/finding-words.ts'
import { mfaFilterValues } from '../console-filters.ts'
import type { ListLink } from '../figure-links.ts'
import { type ConsoleLoginMethod, consoleLoginMethods } from '../login-methods.ts'

export type DetectionKind = (typeof detectionTypes)[number]

/** Number of events in a period, for example findings opened. Counted from timestamps of records, also for the past. */
export type FlowName =
  | `opened.${FindingType}`
  | `closed.${FindingType}`
  | `detections.${DetectionKind}`
  | 'apps'
  | 'appsOther'

/** Number of records in a state, for example open findings. Known only for days on which it was counted. */
export type LevelName =
  | `open.${FindingType}`
  | 'accounts'
  | `mfa.${(typeof mfaFilterValues)[number]}`
  | `signIn.${ConsoleLoginMethod | 'SSO' | 'ANY'}`
  | 'licensed'
  | 'covered'

/** A flow with the list of its records: the list is filtered by a window of `time`, too. */
export interface FlowFigure extends ListLink {
  readonly time: 'creationTimestamp' | 'lastUpdatedTimestamp'
}

/** Login methods of single sign-on. Okta SWA is not one of them: it fills in a password. */
export const singleSignOnMethods = [
  'OIDC',
  'SAML',
  'VENDOR_SSO',
  'FEDCM',
] as const satisfies ConsoleLoginMethod[]

/** Flows that one kind of record has, and those of all kinds together. */
const openedIn = (type?: FindingType): FlowFigure => ({
  list: 'findings',
  filters: type === undefined ? {} : { type },
  time: 'creationTimestamp',
})
const closedIn = (type?: FindingType): FlowFigure => ({
  list: 'findings',
  filters: { ...(type !== undefined && { type }), state: 'RESOLVED' },
  time: 'lastUpdatedTimestamp',
})
const detectedIn = (detectionType?: DetectionKind): FlowFigure => ({
  list: 'detections',
  filters: detectionType === undefined ? {} : { detectionType },
  time: 'creationTimestamp',
})
const firstSeen = (list: 'apps' | 'appsOther'): FlowFigure => ({
  list,
  filters: {},
  time: 'creationTimestamp',
})

/** All flows. A closed finding counts on the day of its last change, while it stays closed. */
export const flowFigures = Object.fromEntries([
  ...findingTypes.map((type) => [`opened.${type}`, openedIn(type)]),
  ...findingTypes.map((type) => [`closed.${type}`, closedIn(type)]),
  ...detectionTypes.map((kind) => [`detections.${kind}`, detectedIn(kind)]),
  ['apps', firstSeen('apps')],
  ['appsOther', firstSeen('appsOther')],
]) as Readonly<Record<FlowName, FlowFigure>>

/** Sums over all types of findings or detections, by the start of the names of their flows. */
export const flowTotals = { opened: openedIn(), closed: closedIn(), detections: detectedIn() } as const
export type FlowTotal = keyof typeof flowTotals

/** All levels with their lists. */
export const levelFigures = Object.fromEntries<ListLink>([
  ...findingTypes.map((type) => [
    `open.${type}`,
    { list: 'findings', filters: { type, state: 'OPEN' } } as ListLink,
  ]),
  ['accounts', { list: 'accounts', filters: {} }],
  ...mfaFilterValues.map((mfa) => [`mfa.${mfa}`, { list: 'accounts', filters: { mfa } } as ListLink]),
  ...consoleLoginMethods.map((method) => [
    `signIn.${method}`,
    { list: 'accounts', filters: { loginMethod: method } } as ListLink,
  ]),
  ['signIn.SSO', { list: 'accounts', filters: { loginMethod: singleSignOnMethods } }],
  ['signIn.ANY', { list: 'accounts', filters: { loginMethod: consoleLoginMethods } }],
  ['licensed', { list: 'employees', filters: { licensed: 'true' } }],
  ['covered', { list: 'employees', filters: { licensed: 'true', activeBrowser: 'true' } }],
] as [string, ListLink][]) as Readonly<Record<LevelName, ListLink>>

export const flowNames = Object.keys(flowFigures) as FlowName[]
export const levelNames = Object.keys(levelFigures) as LevelName[]

/** Values of flows in a period, and the seconds from opening to closing of all closed findings. */
export type Flows = Readonly<Partial<Record<FlowName | 'resolveSeconds', number>>>
export type Levels = Readonly<Partial<Record<LevelName, number>>>

/** Returns the sum of all types of a flow. */
export const flowTotal = (flows: Flows, total: FlowTotal): number =>
  flowNames.reduce((sum, name) => (name.startsWith(`${total}.`) ? sum + (flows[name] ?? 0) : sum), 0)

/** Returns the number of all open findings; null if it was not counted. */
export const openTotal = (levels: Levels | null): number | null =>
  levels && findingTypes.reduce((sum, type) => sum + (levels[`open.${type}`] ?? 0), 0)

/** Shares of accounts and employees, each from two levels. */
export const shareFigures = {
  MFA: { part: ['mfa.REGISTERED'], whole: ['mfa.REGISTERED', 'mfa.NOT_REGISTERED'] },
  SSO: { part: ['signIn.SSO'], whole: ['signIn.ANY'] },
  COVERAGE: { part: ['covered'], whole: ['licensed'] },
} as const satisfies Record<string, { part: LevelName[]; whole: LevelName[] }>
export type ShareName = keyof typeof shareFigures
export const shareNames = Object.keys(shareFigures) as ShareName[]

/** Returns a share in percent; null if it was not counted or the whole is zero. */
export function shareOf(levels: Levels | null, name: ShareName): number | null {
  if (!levels) return null
  const sum = (names: readonly LevelName[]) => names.reduce((all, one) => all + (levels[one] ?? 0), 0)
  const whole = sum(shareFigures[name].whole)
  return whole === 0 ? null : (sum(shareFigures[name].part) / whole) * 100
}

/** Returns the mean time from opening to closing of a finding in days; null if none was closed. */
export function meanResolveDays(flows: Flows): number | null {
  const closed = flowTotal(flows, 'closed')
  return closed === 0 ? null : (flows.resolveSeconds ?? 0) / closed / 86_400
}
