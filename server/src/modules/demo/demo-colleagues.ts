import type { Role } from '@muster/contract/console/console-operation'
import { idSource } from '../../kernel/lib/secrets/id.ts'
import { seededRandom } from '../../kernel/lib/secrets/seeded-random.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { insertAdministrator } from '../administrators/administrators.service.ts'
import { companyDomain, daySeconds } from './workforce/company.ts'

/** Administrator of the simulated company. */
export interface Colleague {
  readonly id: string
  readonly org: number
  readonly name: string
  readonly email: string
  readonly role: Role
}

const names: readonly (readonly [name: string, role: Role])[] = [
  ['Robin Keller', 'FULL_ACCESS'],
  ['Mina Osei', 'FULL_ACCESS'],
  ['Tomás Rivera', 'FULL_ACCESS'],
  ['Jun Park', 'READ_ONLY'],
]

/**
 * Adds the administrators of the company, who sign in with single sign-on. None is an owner: the person who opens the demo
 * becomes the owner.
 */
export async function addColleagues(
  { db, org }: { readonly db: Db; readonly org: number },
  seed: number,
  { startSeconds, nowSeconds }: { readonly startSeconds: number; readonly nowSeconds: number },
): Promise<readonly Colleague[]> {
  const random = seededRandom(seed + 8)
  const makeId = idSource(random.byte)
  const colleagues = names.map(([name, role]): Colleague => {
    const email = `${name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(' ', '.')}@${companyDomain}`
    return { id: makeId(startSeconds * 1000), org, name, email, role }
  })
  await db.inTransaction(async (tx) => {
    for (const colleague of colleagues)
      await insertAdministrator(tx, {
        ...colleague,
        passwordHash: null,
        totpSecret: null,
        totpLastStep: null,
        oidcIssuer: `https://sso.${companyDomain}`,
        oidcSubject: colleague.id,
        creationTimestamp: startSeconds,
        lastSignInTimestamp: nowSeconds - random.below(2 * daySeconds),
      })
  })
  return colleagues
}
