import type { Mistake } from '@muster/contract/api/errors'
import type { Controls } from '@muster/contract/records/controls'
import { didYouMean } from '../../kernel/lib/nearest.ts'

type Json = unknown

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges a change into a document: objects member by member, everything else as a whole. */
export function mergeDocuments(document: Json, change: Json): Json {
  if (!isObject(document) || !isObject(change)) return change
  const members = Object.entries(change).map(
    ([name, value]) =>
      [name, Object.hasOwn(document, name) ? mergeDocuments(document[name], value) : value] as const,
  )
  return { ...document, ...Object.fromEntries(members) }
}

/** Returns the named members of an object. */
export const pick = (from: Json, names: readonly string[]): Record<string, Json> =>
  isObject(from) ? Object.fromEntries(names.map((name) => [name, from[name]])) : {}

const protections = ['protectedPasswords', 'clonedLoginPages', 'phishingTools', 'maliciousCopyPaste'] as const

/** Members of rules and banners that restrict their scope. */
const scopes = [
  'employeeIds',
  'groups',
  'appTypes',
  'approvalStatuses',
  'sensitivityLevels',
  'labels',
] as const

const mistakeAt = (name: string, message: string): Mistake => ({ in: 'body', name, message })

/**
 * Returns all mistakes that the schema cannot express, each with its place and the expected value.
 *
 * @param appTypes tokens of the catalog, including the organization's own
 */
export function controlsMistakes(controls: Controls, appTypes: ReadonlySet<string>): Mistake[] {
  const rules = protections.flatMap((name) =>
    controls[name].rules.map((rule, index) => ({ place: `${name}.rules[${index}]`, rule })),
  )
  const banners = controls.banners.map((rule, index) => ({ place: `banners[${index}]`, rule }))
  return [
    ...[...rules, ...banners].flatMap(({ place, rule }) => scopeMistakes(place, rule, appTypes)),
    ...unknownApps('protectedAppTypes', controls.protectedAppTypes ?? [], appTypes),
    ...repeated('banners', 'id', controls.banners),
    ...repeated('badExtensions', 'extensionId', controls.badExtensions),
    ...thresholdMistakes(controls.thresholds),
  ]
}

type Scope = Partial<Record<(typeof scopes)[number], readonly string[] | undefined>>

function scopeMistakes(place: string, rule: Scope, appTypes: ReadonlySet<string>): Mistake[] {
  const empty = scopes.filter((name) => rule[name]?.length === 0)
  return [
    ...empty.map((name) =>
      mistakeAt(`${place}.${name}`, 'must not be empty; leave it out for a rule that applies to all'),
    ),
    ...unknownApps(`${place}.appTypes`, rule.appTypes ?? [], appTypes),
  ]
}

const unknownApps = (place: string, named: readonly string[], appTypes: ReadonlySet<string>): Mistake[] =>
  named.flatMap((appType, index) =>
    appTypes.has(appType)
      ? []
      : [
          mistakeAt(
            `${place}[${index}]`,
            `must be the token of a product of muster catalog list, not ${appType}.${didYouMean(appType, appTypes)}`,
          ),
        ],
  )

function repeated<Member extends string>(
  place: string,
  member: Member,
  list: readonly Readonly<Record<Member, string>>[],
): Mistake[] {
  const first = new Map<string, number>()
  return list.flatMap((element, index) => {
    const before = first.get(element[member])
    if (before !== undefined)
      return [mistakeAt(`${place}[${index}].${member}`, `must not be the same as in ${place}[${before}]`)]
    first.set(element[member], index)
    return []
  })
}

/** Minimum and maximum of each threshold. */
const thresholdBounds = {
  sharedAccountDays: [1, 3650],
  unusedAppDays: [1, 3650],
  passwordLoginsWithoutMfa: [1, 1000],
  typedLogins: [1, 5],
} as const satisfies Record<keyof Controls['thresholds'], readonly [number, number]>

const thresholdMistakes = (thresholds: Controls['thresholds']): Mistake[] =>
  Object.entries(thresholdBounds).flatMap(([name, [minimum, maximum]]) => {
    const value = thresholds[name as keyof Controls['thresholds']]
    return value >= minimum && value <= maximum
      ? []
      : [mistakeAt(`thresholds.${name}`, `must be between ${minimum} and ${maximum}`)]
  })
