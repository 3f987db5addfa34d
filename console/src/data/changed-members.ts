/**
 * Returns the members that differ. Forms send only these, to keep changes that others made to the rest since the form
 * was opened.
 */
export function changedMembers<T extends object>(before: T, now: T): Partial<T> {
  const members = Object.entries(now) as [keyof T, unknown][]
  const isChanged = ([name, value]: (typeof members)[number]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(members.filter(isChanged)) as Partial<T>
}
