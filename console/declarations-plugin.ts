import type { Plugin } from 'vite'
import { operations } from '../contract/src/api/api.ts'
import { methodOf, type Operation } from '../contract/src/api/operation.ts'
import type { Product } from '../contract/src/catalog/product.ts'
import { products } from '../contract/src/catalog/products.ts'
import { consoleOperations } from '../contract/src/console/console-api.ts'
import { type ConsoleList, consoleLists, listParameters } from '../contract/src/console/console-lists.ts'
import { eventDeclarationOf, eventObjects } from '../contract/src/events/event-objects.ts'
import type { Declarations } from './src/data/declarations.ts'
import { type AppNames, plainType, readableType } from './src/data/type-words.ts'

/** Virtual modules generated at each build, by import name. */
const modules: Readonly<Record<string, () => string>> = {
  'virtual:muster-declarations': () => `export const declarations = ${JSON.stringify(declared())}`,
  'virtual:muster-events': () => `export const eventKinds = ${JSON.stringify(eventKinds())}`,
  'virtual:muster-app-names': () => `export const appNames = ${JSON.stringify(appNames())}`,
}

/**
 * Provides paths, roles and filters of the contract as plain data, so browsers do not load the schemas and the schema
 * library.
 */
export function declarations(): Plugin {
  return {
    name: 'muster-declarations',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0') ? modules[id.slice(1)]?.() : undefined),
  }
}

/** Returns app names that cannot be derived from the app type. Types are included only if the name does not imply them. */
function appNames(): AppNames {
  const needed = products.filter(({ appType, friendlyName }) => readableType(appType) !== friendlyName)
  const isPlain = ({ appType, friendlyName }: Product) => plainType(friendlyName) === appType
  const other = needed.filter((product) => !isPlain(product))
  return {
    plain: needed.filter(isPlain).map(({ friendlyName }) => friendlyName),
    other: Object.fromEntries(other.map(({ appType, friendlyName }) => [appType, friendlyName])),
  }
}

const eventKinds = () =>
  eventObjects.map((object) => {
    const { friendlyName, category } = eventDeclarationOf(object)
    return { object, friendlyName, category }
  })

function declared(): Declarations {
  return {
    operations: Object.fromEntries(
      Object.entries(consoleOperations).map(([id, { method, path, access }]) => [
        id,
        { method, path, access },
      ]),
    ),
    records: Object.fromEntries(
      (Object.entries(operations) as [string, Operation][]).map(([id, operation]) => [
        id,
        { method: methodOf(operation), path: operation.path.replace(/^\/v1/, '/console/api/records') },
      ]),
    ),
    lists: Object.fromEntries(
      (Object.entries(consoleLists) as [string, ConsoleList][]).map(([list, declaration]) => [
        list,
        { sorts: declaration.sorts, filters: listParameters(declaration).flatMap(filterOf) },
      ]),
    ),
  } as unknown as Declarations
}

function filterOf({ name: parameter, filter, schema }: ReturnType<typeof listParameters>[number]) {
  if (!filter) return []
  const { enum: values, type } = schema as { enum?: unknown[]; type?: string }
  return [{ name: parameter, kind: filter.kind, member: filter.member, type: values ? 'enum' : type, values }]
}
