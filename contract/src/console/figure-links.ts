import type { ControlScope, Reach } from './console-controls.ts'
import type { ConsoleListName } from './console-lists.ts'
import type { Overview } from './console-overview.ts'

/** A list with filters. */
export interface ListLink {
  readonly list: ConsoleListName
  readonly filters: Readonly<Record<string, string | readonly string[]>>
}

/** A number and a link to the list with exactly that many rows. */
export interface Figure {
  readonly count: number
  readonly link: ListLink
}

/** Returns a number with its list. */
export const figure = (count: number, list: ConsoleListName, filters: ListLink['filters'] = {}): Figure => ({
  count,
  link: { list, filters },
})

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)

const weekSeconds = 7 * 86_400

/** Returns all numbers of the overview with their lists at `/console/api/lists`. */
export function overviewFigures(overview: Overview) {
  const { totals, detections, findings, discovered, coverage, passwords, mfa, weekTimestamps } = overview
  const weekly = (counts: readonly number[], list: ConsoleListName, filters: ListLink['filters'] = {}) =>
    weekTimestamps.map((from, week) =>
      figure(counts[week] ?? 0, list, {
        ...filters,
        creationTimestampAfter: String(from),
        creationTimestampBefore: String(from + weekSeconds),
      }),
    )
  return {
    employees: figure(totals.employees, 'employees'),
    accounts: figure(totals.accounts, 'accounts'),
    apps: figure(totals.apps, 'apps'),
    appsOther: figure(totals.appsOther, 'appsOther'),
    activeBrowsers: figure(totals.activeBrowsers, 'browsers', { isActive: 'true' }),
    browserExtensions: figure(totals.browserExtensions, 'browserExtensions'),
    blockedUrls: figure(totals.blockedUrls, 'blockedUrls'),
    detectionsOpen: figure(sum(detections.map(({ waiting }) => waiting)), 'detections', {
      archived: 'false',
    }),
    findingsOpen: figure(sum(findings.map(({ open }) => open)), 'findings', { state: 'OPEN' }),
    detections: detections.map(({ severity, waiting, happened }) => ({
      severity,
      open: figure(waiting, 'detections', { severity, archived: 'false' }),
      weeks: weekly(happened, 'detections', { severity }),
    })),
    findings: findings.map(({ type, open, opened }) => ({
      type,
      open: figure(open, 'findings', { type, state: 'OPEN' }),
      weeks: weekly(opened, 'findings', { type }),
    })),
    findingWeeks: weekly(
      weekTimestamps.map((_, week) => sum(findings.map(({ opened }) => opened[week] ?? 0))),
      'findings',
    ),
    appWeeks: weekly(discovered.apps, 'apps'),
    otherAppWeeks: weekly(discovered.appsOther, 'appsOther'),
    licensed: figure(coverage.licensed, 'employees', { licensed: 'true' }),
    covered: figure(coverage.covered, 'employees', { licensed: 'true', activeBrowser: 'true' }),
    uncovered: figure(coverage.licensed - coverage.covered, 'employees', {
      licensed: 'true',
      activeBrowser: 'false',
    }),
    passwords: figure(passwords.accounts, 'accounts', { passwordSeen: 'true' }),
    mfa: {
      registered: figure(mfa.registered, 'accounts', { mfa: 'REGISTERED' }),
      missing: figure(mfa.missing, 'accounts', { mfa: 'NOT_REGISTERED' }),
      unknown: figure(mfa.unknown, 'accounts', { mfa: 'UNKNOWN' }),
    },
  }
}
export type OverviewFigures = ReturnType<typeof overviewFigures>

/** Maximum number of values of a filter (`choicesMaximum` of the lists). */
const valuesMaximum = 20

/** Returns the filters that have values; undefined if one has more than a list accepts. */
function filtersOf(
  values: Readonly<Record<string, readonly string[] | undefined>>,
): ListLink['filters'] | undefined {
  const given = Object.entries(values).flatMap(([name, some]) =>
    some?.length ? [[name, some] as const] : [],
  )
  return given.some(([, some]) => some.length > valuesMaximum) ? undefined : Object.fromEntries(given)
}

/** A number of a preview. There is no link if its list cannot take that many values. */
export interface ReachFigure {
  readonly count: number
  readonly link: ListLink | undefined
}

/** Returns all numbers of a reach preview. */
export function reachFigures(scope: ControlScope, reach: Reach) {
  const people = filtersOf({ employeeId: scope.employeeIds, group: scope.groups })
  const apps = filtersOf({
    type: scope.appTypes,
    approvalStatus: scope.approvalStatuses,
    sensitivityLevel: scope.sensitivityLevels,
    anyLabel: scope.labels,
  })
  const reached = (
    count: number,
    list: ConsoleListName,
    filters: ListLink['filters'] | undefined,
  ): ReachFigure => ({ count, link: filters && { list, filters } })
  return {
    employees: reached(reach.employees, 'employees', people && { ...people, licensed: 'true' }),
    allEmployees: reached(reach.allEmployees, 'employees', { licensed: 'true' }),
    browsers: reached(
      reach.browsers,
      'browsers',
      people && { ...people, isActive: 'true', licensed: 'true' },
    ),
    apps: reached(reach.apps, 'apps', apps),
  }
}
