import type { Controls } from '@muster/contract/records/controls'

/**
 * Removes employees from the controls, and the contact if it is one of them. Rules for no other employee are
 * removed too: an empty list would mean all employees.
 */
export function removeEmployees(
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
  const contact = controls.contact?.toLowerCase()
  return {
    ...controls,
    protectedPasswords: protection(controls.protectedPasswords),
    clonedLoginPages: protection(controls.clonedLoginPages),
    phishingTools: protection(controls.phishingTools),
    maliciousCopyPaste: protection(controls.maliciousCopyPaste),
    banners: scoped(controls.banners),
    contact: contact !== undefined && addresses.has(contact) ? null : controls.contact,
  }
}

/** Personal members of records, with the values that replace them. */
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

/** Redacts the personal members of a record. IDs stay, by which receivers know the record. */
export const redactPersonalData = (record: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(
    Object.entries(record).map(([member, value]) => {
      if (Object.hasOwn(personal, member)) return [member, personal[member]]
      return [member, member === 'employee' ? redactPersonalData(value as Record<string, unknown>) : value]
    }),
  )
