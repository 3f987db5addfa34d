import { consoleLoginMethods } from '@muster/contract/console/login-methods'
import { type Levels, singleSignOnMethods } from '@muster/contract/console/trends/daily-figures'
import { accounts } from '@muster/contract/records/account'
import { findings, findingTypes } from '@muster/contract/records/finding'
import { facetCounter } from '../../kernel/query/facet-filters.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { countCovered } from '../overview/overview-counts.service.ts'

/** Counts all levels now. */
export async function countLevels(db: Reader, org: number): Promise<Levels> {
  const count = facetCounter(db, org)
  const levels: Record<string, number> = {}
  for (const type of findingTypes) levels[`open.${type}`] = await count(findings, { type, state: 'OPEN' })
  levels.accounts = await count(accounts, {})
  for (const mfa of ['REGISTERED', 'NOT_REGISTERED', 'UNKNOWN'])
    levels[`mfa.${mfa}`] = await count(accounts, { mfa })
  // An account with several methods counts for each.
  const signIns = { SSO: singleSignOnMethods, ANY: consoleLoginMethods }
  for (const method of consoleLoginMethods)
    levels[`signIn.${method}`] = await count(accounts, { loginMethod: method })
  for (const [name, loginMethod] of Object.entries(signIns))
    levels[`signIn.${name}`] = await count(accounts, { loginMethod })
  return { ...levels, ...(await countCovered(db, org)) }
}
