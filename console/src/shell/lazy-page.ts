import { lazyRouteComponent } from '@tanstack/react-router'

/** The file of a page could not be loaded: the connection is gone, or a new version of the server has other files. */
export class PageNotLoaded extends Error {
  /** Tries to load it again. Resolves to whether that succeeded. */
  readonly retry: () => Promise<boolean>

  constructor(retry: () => Promise<boolean>, cause: unknown) {
    super('The page could not be loaded.', { cause })
    this.retry = retry
  }
}

type Module = Readonly<Record<string, unknown>>

/**
 * Loads a page when it is first opened. A failure is thrown as {@link PageNotLoaded}; the router itself would reload the
 * window, which loses everything while there is no connection.
 */
export function lazyPage<T extends Module, Name extends keyof T & string>(
  load: () => Promise<T>,
  name: Name,
) {
  const page = lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        const retry = async () => {
          await page.preload?.()
          // The router takes the function away when the page is loaded.
          return page.preload === undefined
        }
        throw new PageNotLoaded(retry, error)
      }),
    name,
  )
  return page
}
