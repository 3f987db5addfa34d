import { lazyRouteComponent } from '@tanstack/react-router'

/** Error for a page chunk that could not be loaded: no connection, or the server has a new version with other files. */
export class PageNotLoaded extends Error {
  /** Tries again. Resolves to true on success. */
  readonly retry: () => Promise<boolean>

  constructor(retry: () => Promise<boolean>, cause: unknown) {
    super('The page could not be loaded.', { cause })
    this.retry = retry
  }
}

/** Exports of a loaded module. */
export type LoadedModule = Readonly<Record<string, unknown>>

/**
 * Loads a page when it is first opened. A failure is thrown as {@link PageNotLoaded}; the router itself would reload the
 * window, which loses everything while there is no connection.
 */
export function lazyPage<T extends LoadedModule, Name extends keyof T & string>(
  load: () => Promise<T>,
  name: Name,
) {
  const page = lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        const retry = async () => {
          await page.preload?.()
          // The router removes the function once the page has loaded.
          return page.preload === undefined
        }
        throw new PageNotLoaded(retry, error)
      }),
    name,
  )
  return page
}
