/** A page that was looked at. */
export interface RecentPage {
  readonly path: string
  readonly title: string
}

const kept = 40
let recent: readonly RecentPage[] = []

/** Remembers that a page was looked at, for as long as the window is open: names stay out of what the browser keeps. */
export function rememberPage(page: RecentPage): void {
  recent = [page, ...recent.filter(({ path }) => path !== page.path)].slice(0, kept)
}

/** The pages that were looked at, the last first. */
export const recentPages = (): readonly RecentPage[] => recent

/** Forgets them: somebody else signs in. */
export function forgetPages(): void {
  recent = []
}
