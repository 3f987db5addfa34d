import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations, Paging, Problem, recordsMemberDefault } from '@muster/contract/api/api'
import { queryParameters, type ValueSchema } from '@muster/contract/api/filter-schema'
import type { JsonSchema } from '@muster/contract/api/json-schema'
import { methodOf, type Operation } from '@muster/contract/api/operation'
import { eventObjects, eventSchemaOf } from '@muster/contract/events/event-objects'
import { version } from './runtime-files.ts'
import { type TypeWriter, typeWriter } from './schema-types.ts'

const root = join(import.meta.dirname, '..', '..')
const all = Object.entries(operations) as [string, Operation][]

/**
 * Writes the files of `@muster/sdk` as they are published: JavaScript modules with types, without dependencies. The types of
 * records, filters, bodies and events are written from their schemas, so readers see plain interfaces.
 *
 * @param folder is emptied first
 */
export function writeSdkFiles(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const source = mkdtempSync(join(folder, 'source-'))
  for (const file of readdirSync(join(root, 'sdk', 'src')).filter(isPublished)) {
    const text = readFileSync(join(root, 'sdk', 'src', file), 'utf8')
    writeFileSync(join(source, file), text.replaceAll(/'@muster\/contract\/\w+\/([\w-]+)'/g, `'./$1.ts'`))
  }
  const types = typeWriter()
  writeFileSync(join(source, 'client-types.ts'), clientTypes(types))
  writeFileSync(join(source, 'event-objects.ts'), eventTypes())
  writeFileSync(join(source, 'api.ts'), `${apiValues(types)}\n${types.declarations()}`)
  writeFileSync(join(source, 'operation.ts'), operationModule)
  compile(source, join(folder, 'dist'))
  rmSync(source, { recursive: true })
  for (const file of readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(folder, 'dist', file)
    // The compiler rewrites the imports of modules, but not those of declarations.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, `$1.js'`))
  }
  const { license, engines } = JSON.parse(readFileSync(join(root, 'sdk', 'package.json'), 'utf8'))
  const manifest = {
    name: '@muster/sdk',
    version,
    description: 'Client and webhook verifier of Muster',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': './dist/client.js', './*': './dist/*.js' },
    files: ['dist'],
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  cpSync(join(root, 'docs', 'guide', 'sdk.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Source files that are published as they are. */
const isPublished = (file: string): boolean =>
  file.endsWith('.ts') && !/\.(?:test|check)\.ts$/.test(file) && file !== 'client-types.ts'

/** Compiles the modules, and checks them once more with the written types. */
function compile(source: string, output: string): void {
  const config = {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      declaration: true,
      rootDir: source,
      outDir: output,
    },
    include: [`${source}/*.ts`],
  }
  const file = join(source, 'tsconfig.json')
  writeFileSync(file, JSON.stringify(config))
  writeFileSync(join(source, 'package.json'), '{ "type": "module" }')
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', file], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Operations at run time: only their parts that make a request. */
function apiValues(types: TypeWriter): string {
  const values = all.map(([id, operation]) => {
    const { kind, path } = operation
    const isAction = operation.kind === 'action'
    const action = isAction && {
      method: methodOf(operation),
      ...(operation.body && { body: {} }),
      ...(operation.valueInQuery && { valueInQuery: operation.valueInQuery }),
    }
    return [id, { kind, path, ...action }]
  })
  types.typeOf(Paging as JsonSchema)
  types.typeOf(Problem as JsonSchema)
  return `import type { Operation } from './operation.ts'
export const operations: Readonly<Record<string, Operation>> = ${JSON.stringify(Object.fromEntries(values), undefined, 2)}
/** Member of a page that contains its records by default. */
export const recordsMemberDefault = ${JSON.stringify(recordsMemberDefault)}
`
}

const operationModule = `/** An operation of the API. */
export interface Operation {
  readonly kind: 'list' | 'get' | 'action'
  readonly path: string
  readonly method?: string
  readonly body?: object
  readonly valueInQuery?: string
}
export const methodOf = ({ method = 'GET' }: Operation): string => method
`

function clientTypes(types: TypeWriter): string {
  const lists = all.flatMap(([id, operation]) => (operation.kind === 'list' ? [{ id, operation }] : []))
  const filters = lists.map(({ id, operation }) => {
    const members = queryParameters(operation)
      .filter(({ filter }) => filter !== undefined)
      .map(({ name, description, schema, maxValues }) => {
        const type = valueType(schema)
        const value = maxValues > 1 ? `${type} | readonly (${type})[]` : type
        return `    /** ${description} */\n    readonly ${name}?: ${value} | undefined\n`
      })
    return `  ${id}: {\n${members.join('')}  }\n`
  })
  const records = lists.map(
    ({ id, operation }) => `  ${id}: ${types.typeOf(operation.collection.record as JsonSchema)}\n`,
  )
  const methods = all.map(([id, operation]) => {
    const text = [operation.summary, operation.description].filter(Boolean).join('. ').replaceAll('*/', '* /')
    return `  /** ${text} */\n  ${id}(${argumentsOf(id, operation, types)}): Promise<${resultOf(operation, types)}>\n`
  })
  const nested = lists.filter(({ operation }) => operation.path.includes('/:id')).map(({ id }) => `'${id}'`)
  const names = [...new Set(`${records.join()}${methods.join()}`.match(/\b[A-Z]\w+/g))].filter((name) =>
    new RegExp(`export (?:interface|type) ${name}\\b`).test(types.declarations()),
  )
  return `import type { ${names.join(', ')} } from './api.ts'
import type { CallOptions, Page, PagingInput, PostOptions, WalkInput } from './client-options.ts'
export type * from './api.ts'
export type * from './client-options.ts'

/** Filters of each list. */
export interface Filters {
${filters.join('')}}
/** Record of each list. */
export interface Records {
${records.join('')}}
/** The operations that are lists. */
export type ListId = keyof Records
/** The filters of a list, by operation. */
export type ListFilters<K extends ListId> = Filters[K]
/** A record of a list, by operation. */
export type ListRecord<K extends ListId> = Records[K]

/** The API as methods: one per operation, named as in the reference, and \`iterate\`. */
export interface Client {
${methods.join('')}
  /** All records of a list, page after page: every record that exists during the whole walk, exactly once, oldest first. */
  iterate<K extends ListId>(
    list: K,
    ...input: [...(K extends ${nested.join(' | ')} ? [id: string] : []), filters?: ListFilters<K> & WalkInput, options?: CallOptions]
  ): AsyncGenerator<ListRecord<K>, void, undefined>
}
`
}

function valueType(schema: ValueSchema): string {
  if ('enum' in schema) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  return schema.type === 'integer' ? 'number' : schema.type
}

function argumentsOf(id: string, operation: Operation, types: TypeWriter): string {
  const parts = operation.path.includes('/:id') ? ['id: string'] : []
  if (operation.kind === 'list') parts.push(`filters?: Filters['${id}'] & PagingInput`)
  if (operation.kind === 'action' && operation.body)
    parts.push(`body: ${types.typeOf(operation.body as JsonSchema)}`)
  return [...parts, `options?: ${operation.kind === 'action' ? 'PostOptions' : 'CallOptions'}`].join(', ')
}

function resultOf(operation: Operation, types: TypeWriter): string {
  if (operation.kind === 'action') return types.typeOf(operation.response as JsonSchema)
  const record = types.typeOf(operation.collection.record as JsonSchema)
  return operation.kind === 'list' ? `Page<${record}>` : record
}

/** Types of webhook events, with records of their own: an event may have members that the record has not. */
function eventTypes(): string {
  const types = typeWriter()
  const events = eventObjects.map(
    (object) => `  ${object}: ${types.typeOf(eventSchemaOf(object) as JsonSchema)}\n`,
  )
  return `${types.declarations()}
/** The events by their object. */
export interface Events {
${events.join('')}}
/** Objects of events. */
export type EventObject = keyof Events
/** An event of an object. */
export type EventFor<O extends EventObject> = Events[O]
/** An event, discriminated by \`object\`, and for changes of records by \`type\`. */
export type WebhookEvent = Events[EventObject]
`
}
