import { notFound } from '@muster/contract/api/errors'
import {
  type AiPeriod,
  type AiUsage,
  aiPeriods,
  type appPageOperations,
  appWeeks,
} from '@muster/contract/console/console-apps'
import { type App, apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import { recordExists } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { weekBounds } from '../overview/compute-overview.ts'
import { accountSources, aiAppIds, aiOtherAppIds, countToolPeople, readToolUses } from './ai-tools.store.ts'
import { periodStart, type ToolFacts, usedTools } from './ai-usage.rules.ts'
import { countNewAccounts, readSignIns } from './app-weeks.store.ts'

/** Handlers of the pages about apps. */
export function appPageHandlers({
  db,
  clock,
}: ConsoleParts): ConsoleHandlers<keyof typeof appPageOperations> {
  return {
    readAppSignIns: async ({ caller }, _body, id) => {
      const { org } = caller.administrator
      if (!(await recordExists(db, apps, org, id))) throw notFound()
      const bounds = weekBounds(unixSeconds(clock), appWeeks)
      return { weekTimestamps: bounds.slice(0, -1), methods: await readSignIns(db.slow, org, id, bounds) }
    },
    readAiUsage: async ({ caller }, _body, period) => {
      if (!(aiPeriods as readonly string[]).includes(period)) throw notFound()
      return readAiUsage(db, caller.administrator.org, period as AiPeriod, unixSeconds(clock))
    },
  }
}

async function readAiUsage(db: Db, org: number, period: AiPeriod, nowSeconds: number): Promise<AiUsage> {
  const recognized = { source: accountSources.recognized, appIds: await aiAppIds(db.slow, org) }
  const other = { source: accountSources.other, appIds: await aiOtherAppIds(db.slow, org) }
  const fromTimestamp = periodStart(period, nowSeconds)
  const uses = [
    ...(await readToolUses(db.slow, org, recognized, fromTimestamp)),
    ...(await readToolUses(db.slow, org, other, fromTimestamp)),
  ]
  const used = uses.map(({ appId }) => appId)
  const facts: ToolFacts[] = [
    ...(await findRecords(db.slow, apps, org, 'id', used)).map((app) => ({
      id: app.id,
      name: app.friendlyName,
      recognized: true,
      approvalStatus: app.approvalStatus as App['approvalStatus'],
      creationTimestamp: app.creationTimestamp,
    })),
    ...(await findRecords(db.slow, appsOther, org, 'id', used)).map((app) => ({
      id: app.id,
      name: app.domain,
      recognized: false,
      approvalStatus: null,
      creationTimestamp: app.creationTimestamp,
    })),
  ]
  const bounds = weekBounds(nowSeconds, appWeeks)
  return {
    fromTimestamp,
    ...usedTools(uses, new Map(facts.map((tool) => [tool.id, tool]))),
    ...(await countToolPeople(db.slow, org, [recognized, other], fromTimestamp)),
    weekTimestamps: bounds.slice(0, -1),
    newAccounts: await countNewAccounts(db.slow, org, recognized, bounds),
    newOtherAccounts: await countNewAccounts(db.slow, org, other, bounds),
  }
}
