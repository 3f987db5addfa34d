import { scimLimits } from './protocol/discovery.rules.ts'
import { isObject, memberNamed, requireSchema } from './protocol/resource-values.rules.ts'
import { badRequest, ScimError } from './protocol/scim-error.rules.ts'
import type { Values } from './protocol/scim-schema.rules.ts'
import type { ScimAnswer } from './scim-operations.ts'

/** Bulk operations (RFC 7644, section 3.7). */

const requestUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
const responseUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

/** One operation of a bulk request. */
export interface BulkOperation {
  readonly method: string
  readonly path: string
  readonly bulkId: string | undefined
  readonly version: string | undefined
  readonly data: unknown
}

/** Runs one operation. Errors are returned as answers. */
export type RunOperation = (operation: BulkOperation) => Promise<ScimAnswer>

/**
 * Runs the operations of a bulk request one after the other. An operation that refers to the `bulkId` of a later one waits for
 * it.
 *
 * @param base URL of all resources, without a slash at the end
 * @throws ScimError 413 for too many operations, invalidSyntax
 */
export async function runBulk(body: unknown, base: string, run: RunOperation): Promise<ScimAnswer> {
  const { operations, failOnErrors } = readBulk(body)
  const references = operations.map(bulkReferences)
  const ids = new Map<string, string>()
  const results: (Values | undefined)[] = operations.map(() => undefined)
  let errors = 0
  const waiting = new Set(operations.keys())
  while (waiting.size > 0 && errors < failOnErrors) {
    const waitingIds = new Set([...waiting].flatMap((at) => operations[at]?.bulkId ?? []))
    const isReady = (at: number) => references[at]?.every((id) => !waitingIds.has(id))
    // Operations that refer to each other in a circle run as they are, and fail.
    const at = [...waiting].find(isReady) ?? Math.min(...waiting)
    waiting.delete(at)
    const operation = operations[at]
    if (!operation) continue
    const answer = await runResolved(operation, ids, run)
    if (answer.status >= 400) errors += 1
    const location = answer.headers?.location
    if (operation.bulkId !== undefined && answer.status === 201 && location)
      ids.set(operation.bulkId, decodeURIComponent(location.slice(location.lastIndexOf('/') + 1)))
    results[at] = resultOf(operation, base, answer)
  }
  return {
    status: 200,
    body: { schemas: [responseUrn], Operations: results.filter((one) => one !== undefined) },
  }
}

function readBulk(body: unknown): { operations: BulkOperation[]; failOnErrors: number } {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, requestUrn)
  const given = memberNamed(body, 'Operations')
  if (!Array.isArray(given) || given.length === 0)
    throw badRequest('invalidSyntax', 'Operations must be a list with at least one operation.')
  if (given.length > scimLimits.bulkOperations)
    throw new ScimError(413, undefined, `A request may have at most ${scimLimits.bulkOperations} operations.`)
  const failOnErrors = memberNamed(body, 'failOnErrors') ?? Number.POSITIVE_INFINITY
  if (typeof failOnErrors !== 'number' || failOnErrors < 1)
    throw badRequest('invalidValue', 'failOnErrors must be a number from 1.')
  return { operations: given.map(readOperation), failOnErrors }
}

function readOperation(given: unknown, index: number): BulkOperation {
  const name = `Operations[${index}]`
  if (!isObject(given)) throw badRequest('invalidSyntax', `${name} must be an object.`)
  const text = (member: string) => {
    const value = memberNamed(given, member)
    return typeof value === 'string' ? value : undefined
  }
  const method = text('method')?.toUpperCase() ?? ''
  const path = text('path') ?? ''
  const bulkId = text('bulkId')
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    throw badRequest('invalidSyntax', `${name}.method must be POST, PUT, PATCH or DELETE.`)
  if (!path.startsWith('/')) throw badRequest('invalidSyntax', `${name}.path must be a path such as /Users.`)
  if (method === 'POST' && bulkId === undefined)
    throw badRequest('invalidSyntax', `${name}.bulkId is required for POST.`)
  return { method, path, bulkId, version: text('version'), data: memberNamed(given, 'data') }
}

const referenceForm = /bulkId:([\w.-]+)/g

const bulkReferences = ({ path, data }: BulkOperation): string[] =>
  [...JSON.stringify([path, data]).matchAll(referenceForm)].map(([, id = '']) => id)

/** Runs an operation with the IDs of created resources in place of their `bulkId`. */
async function runResolved(
  operation: BulkOperation,
  ids: ReadonlyMap<string, string>,
  run: RunOperation,
): Promise<ScimAnswer> {
  const resolved = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(referenceForm, (whole, id: string) => ids.get(id) ?? whole)
    if (Array.isArray(value)) return value.map(resolved)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, resolved(own)]))
  }
  return run({ ...operation, path: String(resolved(operation.path)), data: resolved(operation.data) })
}

/** Returns the result of an operation. Only that of a failed POST has no location. */
function resultOf(
  { method, path, bulkId }: BulkOperation,
  base: string,
  { status, headers, body }: ScimAnswer,
): Values {
  const location = headers?.location ?? (method === 'POST' ? undefined : `${base}${path}`)
  return {
    method,
    ...(bulkId === undefined ? {} : { bulkId }),
    ...(location === undefined ? {} : { location }),
    ...(headers?.etag ? { version: headers.etag } : {}),
    status: String(status),
    ...(status >= 400 ? { response: body } : {}),
  }
}
