/** Types of SCIM schemas, and the resolution of attribute names (RFC 7643, sections 2 and 7). */

/** Declaration of an attribute. */
export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'binary' | 'complex'
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly'
  readonly returned: 'always' | 'never' | 'default'
  readonly uniqueness: 'none' | 'server'
  /** Maximum length of a text, if smaller than that of all. */
  readonly maximumCharacters?: number
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  /** Sub-attributes of a complex attribute. */
  readonly subAttributes?: readonly Attribute[]
}

/** A schema with its URN. */
export interface ScimSchema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

/** A type of resources. */
export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly schema: ScimSchema
  readonly extensions: readonly ScimSchema[]
}

/** Attributes of a resource by their canonical names. Those of an extension are in an object under its URN. */
export type Values = { [name: string]: unknown }

type Facts = Partial<Omit<Attribute, 'name' | 'description' | 'type'>>

const declare =
  (type: Attribute['type']) =>
  (name: string, description: string, facts: Facts = {}): Attribute => ({
    name,
    type,
    multiValued: false,
    description,
    required: false,
    caseExact: type === 'reference' || type === 'binary',
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...facts,
  })

export const string = declare('string')
export const boolean = declare('boolean')
export const dateTime = declare('dateTime')
export const reference = declare('reference')
export const binary = declare('binary')

/** Declares a complex attribute. */
export const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  facts: Facts = {},
): Attribute => declare('complex')(name, description, { ...facts, subAttributes })

const readOnly = { mutability: 'readOnly' } as const

/** Length of texts in indexes. An entry of an index of PostgreSQL has at most 2,704 bytes. */
export const indexedText = { maximumCharacters: 512 } as const

/** Attributes of all resources (RFC 7643, section 3.1). They belong to no schema. */
export const commonAttributes: readonly Attribute[] = [
  string('schemas', 'URNs of the schemas.', {
    ...readOnly,
    multiValued: true,
    caseExact: true,
    returned: 'always',
  }),
  string('id', 'Identifier of the resource.', { ...readOnly, caseExact: true, returned: 'always' }),
  string('externalId', 'Identifier of the resource at the client.', { ...indexedText, caseExact: true }),
  complex(
    'meta',
    'Metadata of the resource.',
    [
      string('resourceType', 'Name of the type.', { ...readOnly, caseExact: true }),
      dateTime('created', 'Time of the creation.', readOnly),
      dateTime('lastModified', 'Time of the last change.', readOnly),
      reference('location', 'URI of the resource.', readOnly),
      string('version', 'Version, as in the header ETag.', { ...readOnly, caseExact: true }),
    ],
    readOnly,
  ),
]

/** An attribute that a path names. */
export interface Target {
  /** URN of the extension that holds the attribute; undefined for other attributes. */
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly sub: Attribute | undefined
}

/** Finds an attribute by name, without case. */
export const attributeNamed = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const folded = name.toLowerCase()
  return attributes.find((attribute) => attribute.name.toLowerCase() === folded)
}

/** Returns the attributes at the top of a resource, without those of extensions. */
export const coreAttributes = (type: ResourceType): readonly Attribute[] => [
  ...commonAttributes,
  ...type.schema.attributes,
]

/** Returns the rest of a path after the URN of a schema; undefined if it does not start with it. */
function afterUrn(path: string, urn: string): string | undefined {
  if (!path.toLowerCase().startsWith(urn.toLowerCase())) return undefined
  const rest = path.slice(urn.length)
  return rest === '' || rest.startsWith(':') ? rest.slice(1) : undefined
}

/** Returns the extension as an attribute: its URN is a name that holds an object. */
export const extensionAttribute = ({ id, description, attributes }: ScimSchema): Attribute =>
  complex(id, description, attributes)

/**
 * Resolves an attribute path: `userName`, `name.givenName`, or with the URN of a schema before it.
 *
 * @returns undefined if the resource type has no such attribute
 */
export function resolveTarget(type: ResourceType, path: string): Target | undefined {
  for (const extension of type.extensions) {
    const rest = afterUrn(path, extension.id)
    if (rest === '') return { extension: undefined, attribute: extensionAttribute(extension), sub: undefined }
    if (rest !== undefined) return inAttributes(extension.attributes, rest, extension.id)
  }
  const rest = afterUrn(path, type.schema.id)
  if (rest === '') return undefined
  return inAttributes(coreAttributes(type), rest ?? path, undefined)
}

function inAttributes(
  attributes: readonly Attribute[],
  path: string,
  extension: string | undefined,
): Target | undefined {
  const [name = '', subName, ...more] = path.split('.')
  const attribute = attributeNamed(attributes, name)
  if (!attribute || more.length > 0) return undefined
  if (subName === undefined) return { extension, attribute, sub: undefined }
  const sub = attributeNamed(attribute.subAttributes ?? [], subName)
  return sub && { extension, attribute, sub }
}

/** Returns the name of a target as clients write it. */
export const targetName = ({ extension, attribute, sub }: Target): string =>
  `${extension === undefined ? '' : `${extension}:`}${attribute.name}${sub ? `.${sub.name}` : ''}`

/** Returns the value of an attribute of a resource. */
export function valueAt(values: Values, { extension, attribute }: Target): unknown {
  const holder = extension === undefined ? values : (values[extension] as Values | undefined)
  return holder?.[attribute.name]
}
