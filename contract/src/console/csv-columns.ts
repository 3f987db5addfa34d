import type { RecordOf } from '../api/collection.ts'
import type { AddedMembers, ConsoleListName, consoleLists } from './console-lists.ts'

/**
 * Additional columns of CSV files for people: names next to IDs, and ISO 8601 times next to UNIX seconds. Each follows the
 * member from which it is derived. A member `…Timestamp` has a column `…Time`.
 */
export const namedColumns = {
  employeeId: ['employeeName', 'employeeEmail'],
  ownerId: ['ownerName', 'ownerEmail'],
  mergedIntoId: ['mergedIntoName', 'mergedIntoEmail'],
  appType: ['appName'],
  otherAppId: ['otherAppDomain'],
  browserId: ['browserName'],
  accountId: ['accountEmail'],
  loginMethods: ['loginMethodNames'],
} as const

/** Additional columns of specific lists. */
export const listColumns = {
  employees: { lastName: ['name'] },
  browsers: { version: ['browserName'] },
  browserExtensions: { hostPermissions: ['risk'] },
  extensionGroups: { hostReach: ['mainCapability'] },
  detections: { url: ['host'] },
  findings: { priorityReasons: ['priorityReasonTexts'] },
  apps: { category: ['categoryName'], signInMethods: ['signInMethodNames'] },
} as const

/** Members that other columns replace: the employee of a detection is a nested object in the API. */
export const omittedMembers: readonly string[] = ['employee']

/** `creationTimestamp` → `creationTime`. */
export type TimeOf<M extends string> = M extends `${infer P}Timestamp` ? `${P}Time` : never

type MemberOf<N extends ConsoleListName> = (
  | keyof RecordOf<(typeof consoleLists)[N]['collection']>
  | keyof AddedMembers<N>
) &
  string

type NamedBy<M extends string> = M extends keyof typeof namedColumns
  ? (typeof namedColumns)[M][number]
  : never

type OfList<N extends ConsoleListName> = N extends keyof typeof listColumns
  ? {
      [M in keyof (typeof listColumns)[N]]: (typeof listColumns)[N][M]
    }[keyof (typeof listColumns)[N]] extends infer C
    ? C extends readonly (infer Name)[]
      ? Name
      : never
    : never
  : never

/** A column of the CSV file of a list. */
export type CsvColumnName<N extends ConsoleListName> =
  | MemberOf<N>
  | NamedBy<MemberOf<N>>
  | TimeOf<MemberOf<N>>
  | OfList<N>

/** Returns the names of all columns of the CSV file of a list, from the members of its records. */
export function csvColumnNames(list: string, members: readonly string[]): string[] {
  const named: Readonly<Record<string, readonly string[]>> = namedColumns
  const own: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = listColumns
  return members
    .filter((member) => !omittedMembers.includes(member))
    .flatMap((member) => [
      member,
      ...(named[member] ?? []),
      ...(own[list]?.[member] ?? []),
      ...(member.endsWith('Timestamp') ? [member.replace(/stamp$/, '')] : []),
    ])
}
