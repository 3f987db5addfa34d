import {
  type AiPeriod,
  type AiTool,
  type AiUsage,
  aiToolsMaximum,
} from '@muster/contract/console/console-apps'

/** Use of an app since the start of a period. */
export interface ToolUse {
  readonly appId: string
  /** Number of employees with one of the used accounts. */
  readonly people: number
  /** Number of used accounts, then of those with a work address and with a user name. */
  readonly accounts: number
  readonly work: number
  readonly userNames: number
  /** UNIX seconds. */
  readonly last: number
}

/** Name of an app, and the members of its record that the page shows. */
export type ToolFacts = Pick<AiTool, 'id' | 'name' | 'recognized' | 'approvalStatus' | 'creationTimestamp'>

const daySeconds = 86_400

/** Returns the first second of a period. */
export function periodStart(period: AiPeriod, nowSeconds: number): number {
  if (period !== 'THIS_MONTH') return nowSeconds - (period === 'LAST_30_DAYS' ? 30 : 90) * daySeconds
  const now = new Date(nowSeconds * 1000)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / 1000
}

/** Returns the used tools, those with most people first. Uses of unknown apps are left out. */
export function usedTools(
  uses: readonly ToolUse[],
  facts: ReadonlyMap<string, ToolFacts>,
): Pick<AiUsage, 'tools' | 'toolCount'> {
  const tools = uses.flatMap(({ appId, people, accounts, work, userNames, last }): AiTool[] => {
    const tool = facts.get(appId)
    if (!tool) return []
    return [
      {
        ...tool,
        people,
        workAccounts: work,
        privateAccounts: accounts - work - userNames,
        otherAccounts: userNames,
        lastUsedTimestamp: last,
      },
    ]
  })
  tools.sort((one, other) => other.people - one.people || (one.name < other.name ? -1 : 1))
  return { tools: tools.slice(0, aiToolsMaximum), toolCount: tools.length }
}
