import {
  type Coverage,
  coverageDays,
  coverageGroupsMaximum,
  type coverageOperations,
} from '@muster/contract/console/rollout/console-coverage'
import { browsers } from '@muster/contract/records/browser'
import type { Reader } from '../../kernel/store/sql.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { cachedFigures } from '../overview/cached-figures.service.ts'
import { countCovered, countCreated } from '../overview/overview-counts.service.ts'
import { sumVersions } from './coverage.rules.ts'
import { countContacts, countVersions, coverageOfGroups } from './coverage.store.ts'

const daySeconds = 86_400

/** Handler for the coverage of the rollout. */
export function coverageHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof coverageOperations> {
  const read = cachedFigures(parts, 'the coverage of the rollout', computeCoverage)
  return { readCoverage: ({ caller }) => read(caller.administrator.org) }
}

/** Computes the coverage with many small reads, so other requests run in between. */
export async function computeCoverage(db: Reader, org: number, nowSeconds: number): Promise<Coverage> {
  const today = nowSeconds - (nowSeconds % daySeconds)
  const bounds = Array.from(
    { length: coverageDays + 1 },
    (_, at) => today + (at - coverageDays + 1) * daySeconds,
  )
  const groups = await coverageOfGroups(db, org, coverageGroupsMaximum + 1)
  return {
    asOfTimestamp: nowSeconds,
    ...(await countCovered(db, org)),
    contacts: await countContacts(db, org, nowSeconds),
    dayTimestamps: bounds.slice(0, -1),
    enrolled: await countCreated(db, browsers, org, bounds),
    groups: groups
      .slice(0, coverageGroupsMaximum)
      .map(({ name, licensed, covered }) => ({ name, licensed, covered: Number(covered) })),
    moreGroups: groups.length > coverageGroupsMaximum,
    ...sumVersions(await countVersions(db, org)),
  }
}
