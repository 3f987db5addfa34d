import { type Filter, parseValueFilter } from './filter-parse.rules.ts'
import { isObject, memberNamed, requireSchema } from './resource-values.rules.ts'
import { badRequest } from './scim-error.rules.ts'
import { type ResourceType, resolveTarget, type Target, targetName } from './scim-schema.rules.ts'

/** Target of a PATCH operation, with the filter that selects values (RFC 7644, section 3.5.2). */
export interface PatchPath {
  readonly target: Target
  readonly filter: Filter | undefined
}

/** One change of a PATCH request. An operation without path is one step per attribute. */
export interface PatchStep {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: PatchPath
  readonly value: unknown
  /**
   * True if a replaced value that does not exist is added. RFC 7644 asks for the error noTarget; Entra ID, which writes
   * `Replace`, expects the value to be added.
   */
  readonly addsMissing: boolean
}

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Maximum number of operations in a request. */
export const patchOperationsMaximum = 1000

/**
 * Reads the operations of a PATCH request.
 *
 * @throws ScimError invalidSyntax, invalidPath, noTarget, invalidValue, mutability
 */
export function readPatch(type: ResourceType, body: unknown): PatchStep[] {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.')
  requireSchema(body, patchUrn)
  const operations = memberNamed(body, 'Operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', 'Operations must be a list with at least one operation.')
  if (operations.length > patchOperationsMaximum)
    throw badRequest('invalidValue', `A request may have at most ${patchOperationsMaximum} operations.`)
  return operations.flatMap((operation, index) => stepsOf(type, operation, `Operations[${index}]`))
}

function stepsOf(type: ResourceType, operation: unknown, name: string): PatchStep[] {
  if (!isObject(operation)) throw badRequest('invalidSyntax', `${name} must be an object.`)
  const written = memberNamed(operation, 'op')
  const op = typeof written === 'string' ? written.toLowerCase() : ''
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw badRequest('invalidSyntax', `${name}.op must be add, remove or replace.`)
  const addsMissing = written !== op
  const path = memberNamed(operation, 'path')
  const value = memberNamed(operation, 'value')
  if (op !== 'remove' && value === undefined)
    throw badRequest('invalidValue', `${name}.value is required for ${op}.`)
  if (path === undefined || path === null || path === '') {
    if (op === 'remove') throw badRequest('noTarget', `${name}.path is required for remove.`)
    if (!isObject(value)) throw badRequest('invalidValue', `${name}.value must be an object without a path.`)
    return stepsWithoutPath(type, op, value, addsMissing)
  }
  if (typeof path !== 'string') throw badRequest('invalidPath', `${name}.path must be a text.`)
  const parsed = parsePatchPath(type, path)
  const { attribute, sub } = parsed.target
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw badRequest('mutability', `${path} is read-only.`)
  return [{ op, path: parsed, value, addsMissing }]
}

/** Returns a step for each attribute of the value. Unknown and read-only attributes are ignored, as in a PUT. */
function stepsWithoutPath(
  type: ResourceType,
  op: 'add' | 'replace',
  value: object,
  addsMissing: boolean,
): PatchStep[] {
  return Object.entries(value).flatMap(([key, own]) => {
    if (resolveTarget(type, key.split('[', 1)[0] ?? '') === undefined) return []
    const path = parsePatchPath(type, key)
    const { attribute, sub } = path.target
    if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly') return []
    return [{ op, path, value: own, addsMissing }]
  })
}

/**
 * Parses the path of a PATCH operation: `attribute`, `attribute.sub`, `attribute[filter]` or `attribute[filter].sub`, each with
 * the URN of a schema before it if wanted.
 *
 * @throws ScimError invalidPath
 */
export function parsePatchPath(type: ResourceType, path: string): PatchPath {
  const invalid = () =>
    badRequest('invalidPath', `There is no attribute ${JSON.stringify(path.slice(0, 256))}.`)
  const opening = path.indexOf('[')
  if (opening < 0) {
    const target = resolveTarget(type, path.trim())
    if (!target) throw invalid()
    return { target, filter: undefined }
  }
  const closing = path.lastIndexOf(']')
  const before = resolveTarget(type, path.slice(0, opening).trim())
  if (!before || before.sub || closing < opening) throw invalid()
  if (before.attribute.type !== 'complex' || !before.attribute.multiValued)
    throw badRequest('invalidPath', `${targetName(before)} cannot have a filter in brackets.`)
  const filter = parseValueFilter(before.attribute, path.slice(opening + 1, closing))
  const after = path.slice(closing + 1).trim()
  if (after === '') return { target: before, filter }
  const target = after.startsWith('.') ? resolveTarget(type, `${targetName(before)}${after}`) : undefined
  if (!target) throw invalid()
  return { target, filter }
}
