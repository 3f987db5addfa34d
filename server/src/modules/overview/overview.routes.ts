import type { overviewOperations } from '@muster/contract/console/console-overview'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { cachedFigures } from './cached-figures.service.ts'
import { computeOverview } from './compute-overview.ts'

/** Handlers for the overview, which is computed at most once a minute per organization. */
export function overviewHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof overviewOperations> {
  const read = cachedFigures(parts, 'the overview of the console', computeOverview)
  return { readOverview: ({ caller }) => read(caller.administrator.org) }
}
