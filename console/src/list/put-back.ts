interface Identified {
  readonly id: string
}

/** What is kept of a list: its pages so far. */
export interface ListPages<R extends Identified> {
  readonly pages: readonly { readonly records: readonly R[] }[]
}

/**
 * Puts records back into a list that they were taken out of: each before the first of its page that came after it and is
 * still there. Those that came back already stay where they are.
 *
 * @param now the list as it is
 * @param before the list as it was with them
 */
export function putBack<L extends ListPages<Identified>>(now: L, before: L, ids: ReadonlySet<string>): L {
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
