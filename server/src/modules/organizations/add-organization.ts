import { added } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, UsageError } from '../../kernel/cli/command.ts'
import { systemClock } from '../../kernel/lib/clock.ts'
import { isUuid, newId } from '../../kernel/lib/secrets/id.ts'
import {
  addOrganization,
  ensureDefaultOrganization,
  findOrganization,
  type Organization,
} from '../../kernel/organizations/organizations.ts'
import { type Db, UniqueViolationError } from '../../kernel/store/sql.ts'

/**
 * Checks the name of a new organization. A UUID is refused because it could be mistaken for the ID of another one.
 *
 * @param argument name of the command-line argument, for the message
 * @throws UsageError
 */
export function checkOrganizationName(argument: string, name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name) && !isUuid(name)) return
  throw new UsageError(
    `${argument} is ${JSON.stringify(name)}, but must be 1 to 64 letters, digits, dots, dashes or underscores, start with a letter or digit, and not be an ID.`,
  )
}

/**
 * Adds an organization, and the default one if it does not exist yet.
 *
 * @throws CommandFailure if the name is taken or the maximum number of organizations is reached
 */
export async function addOrganizationNamed(db: Db, name: string): Promise<Organization> {
  const nowMs = systemClock.nowMs()
  const nowSeconds = Math.floor(nowMs / 1000)
  try {
    return await db.inTransaction(async (tx) => {
      // Number 1 is reserved for the default organization, so it must exist first.
      await ensureDefaultOrganization(tx, newId(nowMs), nowSeconds)
      if (await findOrganization(tx, name)) throw new UniqueViolationError('organizations', undefined)
      const organization = await addOrganization(tx, newId(nowMs), name, nowSeconds)
      await auditCliChange(tx, organization.no, 'organization', [added('name', name)])
      return organization
    })
  } catch (error) {
    if (error instanceof UniqueViolationError)
      throw new CommandFailure(`The organization ${name} already exists.`)
    if (error instanceof RangeError) throw new CommandFailure(error.message)
    throw error
  }
}
