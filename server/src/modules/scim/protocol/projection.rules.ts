import { badRequest } from './scim-error.rules.ts'
import {
  type Attribute,
  coreAttributes,
  type ResourceType,
  resolveTarget,
  type ScimSchema,
  type Target,
  type Values,
} from './scim-schema.rules.ts'

/** Attributes that a client wants in the response (RFC 7644, section 3.9). */
export interface Projection {
  readonly kind: 'only' | 'without'
  readonly targets: readonly Target[]
}

/** Maximum number of attributes that a request can name. */
const projectedMaximum = 200

/**
 * Returns the projection of a request. Unknown attributes are ignored.
 *
 * @throws ScimError invalidValue if both lists are given
 */
export function projectionOf(
  type: ResourceType,
  attributes: readonly string[],
  excluded: readonly string[],
): Projection {
  if (attributes.length > 0 && excluded.length > 0)
    throw badRequest('invalidValue', 'Use attributes or excludedAttributes, not both.')
  const kind = attributes.length > 0 ? 'only' : 'without'
  const names = kind === 'only' ? attributes : excluded
  if (names.length > projectedMaximum)
    throw badRequest('invalidValue', `A request may name at most ${projectedMaximum} attributes.`)
  const targets = names.flatMap((name) => resolveTarget(type, name.trim()) ?? [])
  return { kind, targets }
}

const isTarget = (target: Target, extension: string | undefined, attribute: Attribute): boolean =>
  target.extension === extension && target.attribute.name === attribute.name

/** Returns true if a projection includes at least a part of an attribute at the top of a resource. */
export const includesAttribute = ({ kind, targets }: Projection, name: string): boolean => {
  const named = targets.filter(({ extension, attribute }) => !extension && attribute.name === name)
  return kind === 'only' ? named.length > 0 : !named.some(({ sub }) => sub === undefined)
}

/** Returns the part of a resource that a projection includes. */
export function project(type: ResourceType, resource: Values, projection: Projection): Values {
  const result: Values = {}
  for (const attribute of coreAttributes(type)) {
    const value = projected(resource[attribute.name], undefined, attribute, projection)
    if (value !== undefined) result[attribute.name] = value
  }
  for (const extension of type.extensions) {
    const part = projectedExtension(resource[extension.id] as Values | undefined, extension, projection)
    if (part) result[extension.id] = part
  }
  return result
}

function projectedExtension(
  own: Values | undefined,
  { id, attributes }: ScimSchema,
  projection: Projection,
): Values | undefined {
  const isNamed = projection.targets.some(({ attribute }) => attribute.name === id)
  if (!own || isNamed) return projection.kind === 'only' ? own : undefined
  const kept = attributes.flatMap((attribute) => {
    const value = projected(own[attribute.name], id, attribute, projection)
    return value === undefined ? [] : [[attribute.name, value]]
  })
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Values)
}

function projected(
  value: unknown,
  extension: string | undefined,
  attribute: Attribute,
  { kind, targets }: Projection,
): unknown {
  if (value === undefined || attribute.returned === 'always') return value
  const named = targets.filter((target) => isTarget(target, extension, attribute))
  const isWhole = named.some(({ sub }) => sub === undefined)
  const subs = named.flatMap(({ sub }) => (sub ? [sub.name] : []))
  if (kind === 'only')
    return isWhole ? value : subs.length > 0 ? withMembers(value, (name) => subs.includes(name)) : undefined
  return isWhole ? undefined : subs.length > 0 ? withMembers(value, (name) => !subs.includes(name)) : value
}

function withMembers(value: unknown, isKept: (name: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const list = value.map((one) => withMembers(one, isKept)).filter((one) => one !== undefined)
    return list.length === 0 ? undefined : list
  }
  const kept = Object.entries(value as Values).filter(([name]) => isKept(name))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
