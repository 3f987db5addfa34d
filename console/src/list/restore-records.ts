interface Identified {
  readonly id: string
}

/** Cached pages of a list. */
export interface ListPages<R extends Identified> {
  readonly pages: readonly { readonly records: readonly R[] }[]
}

/**
 * Restores removed records of a list: each before the next record of its page that is still there. Records that are
 * already back stay in place.
 *
 * @param now current list
 * @param before list before the removal
 */
export function restoreRecords<L extends ListPages<Identified>>(
  now: L,
  before: L,
  ids: ReadonlySet<string>,
): L {
  const there = new Set(now.pages.flatMap(({ records }) => records.map(({ id }) => id)))
  const pages = now.pages.map((page, at) => {
    const { records } = page
    const ofPage = new Set(records.map(({ id }) => id))
    const followedBy = new Map<string, Identified[]>()
    let missing: Identified[] = []
    for (const record of before.pages[at]?.records ?? []) {
      if (ids.has(record.id) && !there.has(record.id)) missing.push(record)
      if (!ofPage.has(record.id)) continue
      followedBy.set(record.id, missing)
      missing = []
    }
    return {
      ...page,
      records: [...records.flatMap((record) => [...(followedBy.get(record.id) ?? []), record]), ...missing],
    }
  })
  return { ...now, pages }
}
