/** A visited page. */
export interface RecentPage {
  readonly path: string
  readonly title: string
}

const kept = 40
let recent: readonly RecentPage[] = []

/** Records a visited page in memory only, because titles may contain names. */
export function rememberPage(page: RecentPage): void {
  recent = [page, ...recent.filter(({ path }) => path !== page.path)].slice(0, kept)
}

/** Returns visited pages, latest first. */
export const recentPages = (): readonly RecentPage[] => recent

/** Clears visited pages, because another person signs in. */
export function forgetPages(): void {
  recent = []
}
