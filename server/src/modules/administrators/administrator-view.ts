import type { Administrator, SecondFactor } from '@muster/contract/console/console-fields'
import type { SignInState } from '@muster/contract/console/console-session'
import { defaultOrganization, findOrganization } from '../../kernel/organizations/organizations.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { type FoundSession, reauthenticationExpiry } from '../console/console-sessions.ts'
import { listPasskeys } from '../sign-in/passkeys.service.ts'
import { type AdministratorRow, countRecoveryCodes, hasOwner } from './administrators.service.ts'

/** Returns the second factors of an administrator; empty with only a password. */
export async function secondFactorsOf(db: Reader, administrator: AdministratorRow): Promise<SecondFactor[]> {
  const { org, id, totpSecret } = administrator
  const factors: SecondFactor[] = []
  if (totpSecret !== null) factors.push('TOTP')
  if ((await listPasskeys(db, org, id)).length > 0) factors.push('PASSKEY')
  if (factors.length > 0 && (await countRecoveryCodes(db, org, id)) > 0) factors.push('RECOVERY_CODE')
  return factors
}

/** Returns the public view of an administrator. */
export async function administratorView(db: Reader, row: AdministratorRow): Promise<Administrator> {
  const { id, email, name, role, creationTimestamp, lastSignInTimestamp } = row
  return {
    id,
    email,
    name,
    role,
    secondFactors: await secondFactorsOf(db, row),
    signsInByPassword: row.passwordHash !== null,
    signsInByOidc: row.oidcSubject !== null,
    creationTimestamp,
    lastSignInTimestamp,
  }
}

/** Returns the state of a sign-in. Before the second step it reveals only the available second factors. */
export async function signInState({ db, signOn }: ConsoleParts, found?: FoundSession): Promise<SignInState> {
  const nobody = {
    administrator: null,
    organization: null,
    reauthenticationUntilTimestamp: null,
    setupNeeded: false,
    oidcName: signOn.of(found?.administrator.org)?.name ?? null,
  }
  if (!found) {
    const organization = await findOrganization(db, defaultOrganization)
    const setupNeeded = organization !== undefined && !(await hasOwner(db, organization.no))
    return { ...nobody, state: 'SIGNED_OUT', secondFactors: [], setupNeeded }
  }
  const { session, administrator, organization } = found
  const secondFactors = await secondFactorsOf(db, administrator)
  if (session.stage === 'SECOND_FACTOR') return { ...nobody, state: 'SECOND_FACTOR', secondFactors }
  return {
    ...nobody,
    state: 'SIGNED_IN',
    secondFactors,
    administrator: await administratorView(db, administrator),
    organization: organization.name,
    reauthenticationUntilTimestamp: reauthenticationExpiry(session),
  }
}
