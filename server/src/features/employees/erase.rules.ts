import type { Controls } from '@muster/contract/controls'

/** The controls without employees who are gone, and without whom one may ask, if that was one of them. */
export function withoutPeople(
  controls: Controls,
  ids: ReadonlySet<string>,
  addresses: ReadonlySet<string>,
): Controls {
  const scoped = <S extends { employeeIds?: string[] }>(list: readonly S[]): S[] =>
    list.map((item) =>
      // A list that has become empty stays one: the rule was for these people, and now is for nobody.
      item.employeeIds ? { ...item, employeeIds: item.employeeIds.filter((id) => !ids.has(id)) } : item,
    )
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
