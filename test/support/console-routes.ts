import { operations } from '@muster/contract/api/api'
import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { methodOf, type Operation } from '@muster/contract/api/operation'
import { consoleOperations } from '@muster/contract/console/console-api'
import type { Access, ConsoleOperation } from '@muster/contract/console/console-operation'
import type { FastifyInstance } from 'fastify'

/** Route of the server, declared or not. */
export interface ServedRoute {
  readonly method: string
  /** `/console/api/keys/:id` */
  readonly path: string
}

/** Returns every route under a prefix, read from the router to include undeclared ones. */
export function servedRoutes(app: FastifyInstance, prefix: string): ServedRoute[] {
  const parents: string[] = []
  const routes: ServedRoute[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (\S+)(?: \(([\w, ]+)\))?$/.exec(line) ?? []
    if (indent === undefined) continue
    const depth = indent.length / 4
    const path = `${depth === 0 ? '' : parents[depth - 1]}${part}`
    parents[depth] = path
    for (const method of methods.split(', ').filter((one) => one !== '' && one !== 'HEAD'))
      if (path.startsWith(prefix)) routes.push({ method, path })
  }
  return routes
}

const keyOf = ({ method, path }: ServedRoute): string => `${method} ${path}`

const declared = new Map<string, ConsoleOperation>(
  Object.values<ConsoleOperation>(consoleOperations).map((operation) => [keyOf(operation), operation]),
)
const recordBodies = new Map(
  Object.values<Operation>(operations).map((operation) => [
    keyOf({ method: methodOf(operation), path: operation.path.replace(/^\/v1/, '/console/api/records') }),
    operation.kind === 'action' ? operation.body : undefined,
  ]),
)

/** Returns the access of a route. Undeclared routes count as READ_ONLY for GET, otherwise as FULL_ACCESS. */
export const accessOf = (route: ServedRoute): Access =>
  declared.get(keyOf(route))?.access ?? (route.method === 'GET' ? 'READ_ONLY' : 'FULL_ACCESS')

/** Returns a valid body with the given ID wherever it contains one. */
export function bodyFor(route: ServedRoute, id: string): unknown {
  const body = declared.get(keyOf(route))?.body ?? recordBodies.get(keyOf(route))
  if (!body) return undefined
  const text = JSON.stringify(exampleOf(body as unknown as JsonSchema))
  return JSON.parse(text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, id))
}

/** Returns the path with a value for each parameter. */
export const pathWith = ({ path }: ServedRoute, value: string): string =>
  path.replace(/:\w+/g, encodeURIComponent(value)).replace('*', 'x')
