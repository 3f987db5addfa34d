import {
  type AiPeriod,
  type AiTool,
  type AiUsage,
  aiToolsMaximum,
} from '@muster/contract/console/console-apps'

/** Use of an app by an employee since the start of a period. */
export interface ToolUse {
  readonly appId: string
  readonly employeeId: string
  readonly accounts: number
  readonly work: number
  readonly userNames: number
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

/** Sums up the uses of tools. Tools without a use are left out; those with most people come first. */
export function summarizeTools(
  uses: readonly ToolUse[],
  facts: ReadonlyMap<string, ToolFacts>,
): Pick<AiUsage, 'tools' | 'toolCount' | 'people' | 'privatePeople'> {
  const tools: AiTool[] = []
  for (const [appId, some] of Map.groupBy(uses, (use) => use.appId)) {
    const tool = facts.get(appId)
    if (!tool) continue
    const sum = (count: (use: ToolUse) => number) => some.reduce((all, use) => all + count(use), 0)
    tools.push({
      ...tool,
      people: some.length,
      workAccounts: sum(({ work }) => work),
      privateAccounts: sum(privateOf),
      otherAccounts: sum(({ userNames }) => userNames),
      lastUsedTimestamp: Math.max(...some.map(({ last }) => last)),
    })
  }
  tools.sort((one, other) => other.people - one.people || (one.name < other.name ? -1 : 1))
  return {
    tools: tools.slice(0, aiToolsMaximum),
    toolCount: tools.length,
    people: new Set(uses.map(({ employeeId }) => employeeId)).size,
    privatePeople: new Set(uses.filter((use) => privateOf(use) > 0).map(({ employeeId }) => employeeId)).size,
  }
}

const privateOf = ({ accounts, work, userNames }: ToolUse): number => accounts - work - userNames
