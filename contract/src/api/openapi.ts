import { formatPatterns } from '../text/text-format.ts'
import { operations, pageOf, recordsMemberDefault } from './api.ts'
import { type ErrorCode, errorCatalog } from './errors.ts'
import { type QueryParameter, queryParameters } from './filter-schema.ts'
import { exampleOf, type JsonSchema } from './json-schema.ts'
import { type SchemaRegistry, schemaRegistry } from './openapi-components.ts'
import { errorResponse, headerComponents, headers, successHeaders } from './openapi-errors.ts'
import { errorsOf, methodOf, type Operation, tagOf } from './operation.ts'

/** Deployment-specific parts of the document. */
export interface OpenApiOptions {
  /** The member that holds the records of a page. */
  readonly recordsMember: string
  /** The address of the server, without a slash at its end. */
  readonly serverUrl: string
  /** The version of the document. */
  readonly version: string
  /** True if the API version is deprecated, and with it all operations. */
  readonly deprecated?: boolean
}

/** Options of the committed copy, `docs/openapi.json`. */
export const openApiDefaults: OpenApiOptions = {
  recordsMember: recordsMemberDefault,
  serverUrl: 'https://localhost:8443',
  version: '1.0.0',
}

/** The resource groups of the reference: their headings, what one record is called, and what the group is about. */
const tags: Record<string, { title: string; noun: string; description: string }> = {
  accounts: {
    title: 'Accounts',
    noun: 'account',
    description: 'Accounts that employees own, and their login methods.',
  },
  accountsOther: {
    title: 'Accounts (other)',
    noun: 'account (other)',
    description: 'Accounts on apps outside the catalog.',
  },
  apps: {
    title: 'Apps',
    noun: 'app',
    description: 'Apps discovered in the organization, and the labels on them.',
  },
  appsOther: {
    title: 'Apps (other)',
    noun: 'app (other)',
    description: 'Apps outside the catalog, known by their domain.',
  },
  browsers: { title: 'Browsers', noun: 'browser', description: 'Browsers of the employees.' },
  browserExtensions: {
    title: 'Browser extensions',
    noun: 'browser extension',
    description: 'Extensions in the browsers of the employees.',
  },
  detections: {
    title: 'Detections',
    noun: 'detection',
    description: 'Attacks and dangerous actions observed in browsers.',
  },
  employees: {
    title: 'Employees',
    noun: 'employee',
    description: 'Employees, their groups, merge and unmerge, and browser enrollment links.',
  },
  findings: {
    title: 'Findings',
    noun: 'finding',
    description: 'Weaknesses in how accounts and employees sign in.',
  },
  controls: {
    title: 'Controls',
    noun: 'control',
    description: 'Blocked URLs (URL blocking) and custom stolen credentials (stolen credential detection).',
  },
}

const info = (version: string) => ({
  title: 'Muster REST API',
  version,
  description:
    'Programmatic access to the administrative functions of a workforce security platform. All calls use HTTPS and carry the `x-api-key` header; bodies are JSON. Timestamps are UNIX seconds. Every declared member of a record is always present; null stands for unset. Ids are opaque strings. Texts in requests must not contain control characters, line breaks or text-direction controls (format `line`, `name`, `exact-line`); `lines` may have line breaks and tabs. Names and e-mail addresses are stored in Unicode NFC, names without white space around them; a value of format `lookup` is compared in that form.',
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
})

/**
 * The example of a parameter that may be left out: shown, and left out of the samples and of the requests that the
 * reference makes, which send every other example.
 */
const exampleLeftOut = (value: unknown) => ({ examples: { example: { value, 'x-disabled': true } } })

const queryParameter = ({ name, description, schema, maxValues, example }: QueryParameter) => {
  const head = { name, in: 'query', description, required: false }
  if (maxValues === 1) return { ...head, schema, ...(example !== '' && exampleLeftOut(example)) }
  const array = { type: 'array', items: schema, maxItems: maxValues }
  return { ...head, style: 'form', explode: true, schema: array, ...exampleLeftOut([example]) }
}

const pathParameter = (noun: string) => ({
  name: 'id',
  in: 'path',
  description: `Unique identifier of the ${noun}.`,
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
})

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Within 24 hours, a repeat of the same request with the same key is not executed again but returns the first response.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  ...exampleLeftOut('6f1c1f4e-2f0b-4d0e-9a53-8f1f0a7f4f0e'),
}

const parametersOf = (operation: Operation): object[] => [
  ...(operation.path.includes('/:id') ? [pathParameter(tags[tagOf(operation)]?.noun ?? 'record')] : []),
  ...queryParameters(operation).map(queryParameter),
  ...(methodOf(operation) === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
]

const json = (schema: JsonSchema, registry: SchemaRegistry) => ({
  'application/json': { schema: registry.use(schema), example: exampleOf(schema) },
})

/**
 * Adds the regular expressions of the formats to a request body, for clients that do not know the formats. Responses have
 * none: a record may be older than the rules.
 */
const withPatterns = (schema: JsonSchema): JsonSchema => {
  const { format, items, properties, anyOf } = schema
  const pattern = format === undefined ? undefined : formatPatterns[format]
  return {
    ...schema,
    ...(pattern !== undefined && { pattern }),
    ...(items && { items: withPatterns(items) }),
    ...(anyOf && { anyOf: anyOf.map(withPatterns) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, withPatterns(member)]),
      ),
    }),
  }
}

/** The schema of a success: a page, a record, or what the action declares. */
export const responseSchema = (operation: Operation, recordsMember: string): JsonSchema => {
  if (operation.kind === 'list') return pageOf(operation.collection.record, recordsMember) as JsonSchema
  return (operation.kind === 'get' ? operation.collection.record : operation.response) as JsonSchema
}

/** Codes with the same status cannot both be answers of one operation in OpenAPI: the first one speaks for it. */
const errorReferences = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    codes.map((code) => [errorCatalog[code].status, { $ref: `#/components/responses/${code}` }]),
  )

const pathItem = (
  id: string,
  operation: Operation,
  { recordsMember, deprecated = false }: OpenApiOptions,
  registry: SchemaRegistry,
) => {
  const body = operation.kind === 'action' ? operation.body : undefined
  const parameters = parametersOf(operation)
  const success = {
    description: 'The request was processed.',
    headers: {
      ...successHeaders,
      ...(operation.kind === 'list' && headers('Link')),
      ...(methodOf(operation) === 'POST' && headers('Idempotency-Replayed')),
    },
    content: json(responseSchema(operation, recordsMember), registry),
  }
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary: operation.summary,
    ...(deprecated && { deprecated }),
    ...(operation.description !== undefined && { description: operation.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        description: (body as JsonSchema).description,
        required: !('valueInQuery' in operation),
        content: json(withPatterns(body as JsonSchema), registry),
      },
    }),
    responses: { 200: success, ...errorReferences(errorsOf(operation)) },
  }
}

const pathsOf = (options: OpenApiOptions, registry: SchemaRegistry) => {
  const paths: Record<string, Record<string, object>> = {}
  for (const [id, operation] of Object.entries(operations) as [string, Operation][]) {
    const path = operation.path.replace('/:id', '/{id}')
    paths[path] = {
      ...paths[path],
      [methodOf(operation).toLowerCase()]: pathItem(id, operation, options, registry),
    }
  }
  return paths
}

/**
 * Builds the OpenAPI 3.1 document of the whole API from its declarations. The result is plain JSON data.
 */
export const openApiDocument = (options: OpenApiOptions): object => {
  const { serverUrl, version } = options
  const registry = schemaRegistry()
  const paths = pathsOf(options, registry)
  const codes = new Set(Object.values<Operation>(operations).flatMap(errorsOf))
  const responses = Object.fromEntries(
    [...codes].map((code) => [code, errorResponse(code, serverUrl, registry)]),
  )
  return {
    openapi: '3.1.0',
    info: info(version),
    servers: [{ url: serverUrl, description: 'This server.' }],
    security: [{ 'x-api-key': [] }],
    tags: Object.entries(tags).map(([name, { title, description }]) => ({
      name,
      'x-displayName': title,
      description,
    })),
    paths,
    components: {
      schemas: registry.schemas,
      responses,
      parameters: { IdempotencyKey: idempotencyKey },
      headers: headerComponents,
      securitySchemes: {
        'x-api-key': {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description:
            'An API key of an administrator. A `Read only` key permits GET requests only; a `Full access` key permits all.',
        },
      },
    },
  }
}
