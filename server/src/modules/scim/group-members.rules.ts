import { storable } from '../../kernel/lib/text.ts'
import { matchesFilter } from './protocol/filter-match.rules.ts'
import type { Filter } from './protocol/filter-parse.rules.ts'
import type { PatchStep } from './protocol/patch-steps.rules.ts'
import { isObject, isUnassigned, memberNamed } from './protocol/resource-values.rules.ts'
import { badRequest } from './protocol/scim-error.rules.ts'

/** Change of the members of a group. */
export interface MemberChange {
  /** True if all members that are not in `added` are removed. */
  cleared: boolean
  readonly added: Set<string>
  readonly removed: Set<string>
}

/** A member, as filters see it. */
export interface MemberFacts {
  readonly [name: string]: unknown
  readonly value: string
}

/** Maximum number of members in a request. The size of the body allows fewer. */
const membersMaximum = 50_000

/**
 * Reads the IDs of members of a request.
 *
 * @throws ScimError invalidValue
 */
export function readMembers(value: unknown): string[] {
  if (isUnassigned(value)) return []
  const list = Array.isArray(value) ? value : [value]
  if (list.length > membersMaximum)
    throw badRequest('invalidValue', `A request may have at most ${membersMaximum} members.`)
  const ids = list.map((one) => {
    const id = isObject(one) ? memberNamed(one, 'value') : one
    const type = isObject(one) ? memberNamed(one, 'type') : undefined
    if (typeof type === 'string' && type.toLowerCase() === 'group')
      throw badRequest('invalidValue', 'A group cannot be a member of a group.')
    if (typeof id !== 'string' || id === '' || !storable(id))
      throw badRequest('invalidValue', 'Each member must have a value: the ID of a user.')
    return id
  })
  return [...new Set(ids)]
}

/**
 * Applies the steps of a PATCH that concern members.
 *
 * @param allMembers reads all members of the group; called only for filters other than on the ID
 * @throws ScimError noTarget, invalidValue, mutability
 */
export async function memberChange(
  steps: readonly PatchStep[],
  readers: {
    readonly isMember: (id: string) => Promise<boolean>
    readonly allMembers: () => Promise<readonly MemberFacts[]>
  },
): Promise<MemberChange> {
  const change: MemberChange = { cleared: false, added: new Set(), removed: new Set() }
  for (const step of steps) await applyMemberStep(change, step, readers)
  return change
}

async function applyMemberStep(
  change: MemberChange,
  { op, path: { target, filter }, value }: PatchStep,
  readers: Parameters<typeof memberChange>[1],
): Promise<void> {
  if (target.sub)
    throw badRequest('mutability', 'The parts of a member cannot be changed. Remove the member.')
  const { added, removed } = change
  const add = (ids: readonly string[]) => {
    for (const id of ids) {
      added.add(id)
      removed.delete(id)
    }
  }
  const remove = (ids: readonly string[]) => {
    for (const id of ids) {
      added.delete(id)
      removed.add(id)
    }
  }
  const clear = () => {
    change.cleared = true
    added.clear()
    removed.clear()
  }
  if (!filter) {
    const ids = readMembers(value)
    if (op === 'remove' && ids.length > 0) return remove(ids)
    if (op !== 'add') clear()
    return add(op === 'remove' ? [] : ids)
  }
  const matching = await matchingMembers(change, filter, readers)
  if (op === 'remove') return remove(matching)
  if (matching.length === 0) throw badRequest('noTarget', 'No member matches the filter.')
  if (op === 'replace') remove(matching)
  add(readMembers(value))
}

async function matchingMembers(
  change: MemberChange,
  filter: Filter,
  { isMember, allMembers }: Parameters<typeof memberChange>[1],
): Promise<string[]> {
  const { cleared, added, removed } = change
  const ids = idsOfFilter(filter)
  if (ids) {
    const found: string[] = []
    for (const id of ids)
      if (added.has(id) || (!cleared && !removed.has(id) && (await isMember(id)))) found.push(id)
    return found
  }
  const stored = cleared ? [] : (await allMembers()).filter(({ value }) => !removed.has(value))
  const known = new Set(stored.map(({ value }) => value))
  const all = [
    ...stored,
    ...[...added].filter((id) => !known.has(id)).map((value) => ({ value, type: 'User' })),
  ]
  return all.filter((member) => matchesFilter(filter, member)).map(({ value }) => value)
}

/** Returns the IDs of a filter such as `value eq "1" or value eq "2"`; undefined for other filters. */
function idsOfFilter(filter: Filter): string[] | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq' && filter.target.attribute.name === 'value')
    return [String(filter.value)]
  if (filter.kind !== 'or') return undefined
  const parts = filter.parts.map(idsOfFilter)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}
