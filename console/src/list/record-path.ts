import type { RegisteredRouter } from '@tanstack/react-router'

type PageRoute = keyof RegisteredRouter['routesByPath']

/** Route of a page that shows one record. */
type RecordRoute = Extract<PageRoute, `${string}/$id`>

/** Route of a page that needs no parameters. */
export type PagePath = Exclude<PageRoute, RecordRoute>

/** Returns the path of a record's page, in the form in which the router reports it. */
export const recordPath = (route: RecordRoute, id: string): string =>
  route.replace('$id', encodeURIComponent(id))
