import type { Controls } from '@muster/contract/controls'

/**
 * The controls without employees who are gone, and without whom one may ask, if that was one of them. A rule that was
 * for nobody else goes with them: with an empty list it would say nothing clear.
 */
export function withoutPeople(
  controls: Controls,
  ids: ReadonlySet<string>,
  addresses: ReadonlySet<string>,
): Controls {
  const scoped = <S extends { employeeIds?: string[] }>(list: readonly S[]): S[] =>
    list.flatMap((item) => {
      if (!item.employeeIds?.some((id) => ids.has(id))) return [item]
      const employeeIds = item.employeeIds.filter((id) => !ids.has(id))
      return employeeIds.length > 0 ? [{ ...item, employeeIds }] : []
    })
  const protection = (known: Controls['phishingTools']) => ({ ...known, rules: scoped(known.rules) })
  const asked = controls.contact?.toLowerCase()
  return {
    ...controls,
    protectedPasswords: protection(controls.protectedPasswords),
    clonedLoginPages: protection(controls.clonedLoginPages),
    phishingTools: protection(controls.phishingTools),
    maliciousCopyPaste: protection(controls.maliciousCopyPaste),
    banners: scoped(controls.banners),
    contact: asked !== undefined && addresses.has(asked) ? null : controls.contact,
  }
}

/** What a record may say of a person, and what it says when that is to be forgotten. */
const personal: Readonly<Record<string, unknown>> = {
  email: 'erased',
  secondaryEmails: [],
  profileEmail: null,
  firstName: null,
  lastName: null,
  department: null,
  location: null,
  groups: [],
  url: null,
  referrerUrl: null,
  sourceIpAddress: null,
  userAgent: null,
}

/** A record, with the ids by which others know what is gone, and without what it says of a person. */
export const withoutPersonal = (record: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(
    Object.entries(record).map(([member, value]) => {
      if (Object.hasOwn(personal, member)) return [member, personal[member]]
      return [member, member === 'employee' ? withoutPersonal(value as Record<string, unknown>) : value]
    }),
  )
