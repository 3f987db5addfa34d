/**
 * Whether an employee would in the end be merged into itself, directly or by way of others. Those who are merged are shown
 * under one who stands alone; of a circle nobody would be shown.
 *
 * @param primaryOf whom those on the way are merged into, by id; null or missing: they stand alone, or are not there
 */
export function leadsBack(
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
