import { type Figure, figure } from '../figure-links.ts'
import type { Coverage } from './console-coverage.ts'

const daySeconds = 86_400

/** Periods since the last contact of a browser: from the first number of days up to the second. */
export const contactPeriods = {
  DAY: [0, 1],
  WEEK: [1, 7],
  MONTH: [7, 30],
  SILENT: [30, Number.POSITIVE_INFINITY],
} as const
export type ContactPeriod = keyof typeof contactPeriods
export const contactPeriodNames = Object.keys(contactPeriods) as ContactPeriod[]

/** Returns all numbers of the coverage with their lists. */
export function coverageFigures(coverage: Coverage) {
  const { asOfTimestamp, licensed, covered, contacts, dayTimestamps, enrolled, groups, versions, agents } =
    coverage
  const ofPeople = (all: number, reached: number, filters: Record<string, string> = {}) => ({
    licensed: figure(all, 'employees', { ...filters, licensed: 'true' }),
    covered: figure(reached, 'employees', { ...filters, licensed: 'true', activeBrowser: 'true' }),
    uncovered: figure(all - reached, 'employees', { ...filters, licensed: 'true', activeBrowser: 'false' }),
  })
  return {
    all: ofPeople(licensed, covered),
    contacts: contacts.map(({ period, browsers }) => ({
      period,
      browsers: figure(browsers, 'browsers', contactFilters(period, asOfTimestamp)),
    })),
    days: dayTimestamps.map(
      (from, at): Figure =>
        figure(enrolled[at] ?? 0, 'browsers', {
          creationTimestampAfter: String(from),
          creationTimestampBefore: String(from + daySeconds),
        }),
    ),
    groups: groups.map(({ name, ...group }) => ({
      name,
      ...ofPeople(group.licensed, group.covered, { group: name }),
    })),
    versions: versions.map(({ browser, version, browsers }) => ({
      browser,
      version,
      browsers: figure(browsers, 'browsers', { isActive: 'true', browser, majorVersion: version }),
    })),
    agents: agents.map(({ version, browsers }) => ({
      version,
      browsers: figure(browsers, 'browsers', { isActive: 'true', agentVersion: version }),
    })),
  }
}

/** Returns the filters of browsers whose last contact was in a period before `now`, in UNIX seconds. */
function contactFilters(period: ContactPeriod, now: number): Record<string, string> {
  const [from, to] = contactPeriods[period]
  return {
    ...(to < Number.POSITIVE_INFINITY && { lastOnlineTimestampAfter: String(now - to * daySeconds) }),
    ...(from > 0 && { lastOnlineTimestampBefore: String(now - from * daySeconds) }),
  }
}
