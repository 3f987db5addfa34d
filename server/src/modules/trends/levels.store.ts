import { consoleLoginMethods } from '@muster/contract/console/login-methods'
import { type Levels, singleSignOnMethods } from '@muster/contract/console/trends/daily-figures'
import { findings, findingTypes } from '@muster/contract/records/finding'
import { bitsWithAny } from '../../kernel/store/derived-columns.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { countCovered, countHavingBoth, countSecondFactors } from '../overview/overview-counts.service.ts'

/** Counts all levels now, with many small reads, so other requests run in between. */
export async function countLevels(db: Reader, org: number): Promise<Levels> {
  const levels: Record<string, number> = {}
  for (const type of findingTypes)
    levels[`open.${type}`] = await countHavingBoth(
      db,
      findings,
      org,
      { member: 'type', value: type },
      { member: 'state', value: 'OPEN' },
    )
  const { registered, missing, unknown } = await countSecondFactors(db, org)
  return {
    ...levels,
    accounts: registered + missing + unknown,
    'mfa.REGISTERED': registered,
    'mfa.NOT_REGISTERED': missing,
    'mfa.UNKNOWN': unknown,
    ...(await countSignIns(db, org)),
    ...(await countCovered(db, org)),
  }
}

/** Counts the accounts by sign-in method. An account with several methods counts for each. */
async function countSignIns(db: Reader, org: number): Promise<Levels> {
  const index = db.dialect.indexedBy('accounts_by_login_methods')
  const sql = `SELECT login_methods AS bits, count(*) AS count FROM accounts${index} WHERE org = ? GROUP BY login_methods`
  const rows = await db.all<{ bits: number | null; count: number }>(sql, [org])
  const withAny = (methods: Parameters<typeof bitsWithAny>[0]): number => {
    const matching = new Set(bitsWithAny(methods))
    return rows.reduce((sum, { bits, count }) => (matching.has(bits ?? 0) ? sum + count : sum), 0)
  }
  return {
    ...Object.fromEntries(consoleLoginMethods.map((method) => [`signIn.${method}`, withAny([method])])),
    'signIn.SSO': withAny(singleSignOnMethods),
    'signIn.ANY': withAny(consoleLoginMethods),
  }
}
