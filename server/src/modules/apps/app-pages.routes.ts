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
import { storableId } from '../../kernel/actions/read.ts'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import { readRecordText } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { weekBounds } from '../overview/compute-overview.ts'
import { accountSources, aiAppIds, aiOtherAppIds, readToolUses } from './ai-tools.store.ts'
import { periodStart, summarizeTools, type ToolFacts } from './ai-usage.rules.ts'
import { countNewAccounts, readSignIns } from './app-weeks.store.ts'

/** Handlers of the pages about apps. */
export function appPageHandlers({
  db,
  clock,
}: ConsoleParts): ConsoleHandlers<keyof typeof appPageOperations> {
  return {
    readAppSignIns: async ({ caller }, _body, id) => {
      const { org } = caller.administrator
      const known = storableId(id) && (await readRecordText(db, apps, org, id)) !== undefined
      if (!known) throw notFound()
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
  const { recognized, other } = accountSources
  const [appIds, otherIds] = [await aiAppIds(db.slow, org), await aiOtherAppIds(db.slow, org)]
  const fromTimestamp = periodStart(period, nowSeconds)
  const uses = [
    ...(await readToolUses(db.slow, org, recognized, appIds, fromTimestamp)),
    ...(await readToolUses(db.slow, org, other, otherIds, fromTimestamp)),
  ]
  const used = [...new Set(uses.map(({ appId }) => appId))]
  const facts: ToolFacts[] = [
    ...(await findRecords(db.slow, apps, org, 'id', used)).map((app) => ({
      id: app.id,
      name: app.friendlyName,
      recognized: true,
      approvalStatus: app.approvalStatus as App['approvalStatus'],
      creationTimestamp: app.creationTimestamp,
    })),
    ...(await findRecords(db.slow, appsOther, org, 'id', used)).map(({ id, domain, creationTimestamp }) => ({
      ...{ id, name: domain, recognized: false, approvalStatus: null, creationTimestamp },
    })),
  ]
  const bounds = weekBounds(nowSeconds, appWeeks)
  return {
    fromTimestamp,
    ...summarizeTools(uses, new Map(facts.map((tool) => [tool.id, tool]))),
    weekTimestamps: bounds.slice(0, -1),
    newAccounts: await countNewAccounts(db.slow, org, recognized, appIds, bounds),
    newOtherAccounts: await countNewAccounts(db.slow, org, other, otherIds, bounds),
  }
}
