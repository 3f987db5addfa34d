/**
 * Returns true if an employee would be merged into itself, directly or indirectly. In such a cycle nobody would be a
 * primary.
 *
 * @param primaryOf merge target of each employee, by ID; null or missing for primaries and unknown employees
 */
export function isMergeCycle(
  primaryOf: ReadonlyMap<string, string | null>,
  { id, mergedIntoId }: { readonly id: string; readonly mergedIntoId: string | null },
): boolean {
  const seen = new Set<string>()
  for (let at = mergedIntoId; at !== null && !seen.has(at); at = primaryOf.get(at) ?? null) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}
