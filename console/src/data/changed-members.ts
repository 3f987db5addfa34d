/**
 * The members that are others than they were. Of a form only these are sent, so that the rest stays as somebody else may
 * have changed it since the form was opened.
 */
export function changedMembers<T extends object>(before: T, now: T): Partial<T> {
  const members = Object.entries(now) as [keyof T, unknown][]
  const isChanged = ([name, value]: (typeof members)[number]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(members.filter(isChanged)) as Partial<T>
}
