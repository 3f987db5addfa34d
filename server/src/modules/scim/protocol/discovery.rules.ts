import { resourceTypes } from './resource-types.rules.ts'
import type { Attribute, ResourceType, ScimSchema, Values } from './scim-schema.rules.ts'

/** Discovery documents (RFC 7644, section 4; RFC 7643, sections 5 to 7). */

/** Prefix of all paths for directories. */
export const scimPrefix = '/scim/v2'

const urn = (name: string) => `urn:ietf:params:scim:schemas:core:2.0:${name}`

/** Limits that the documents state. */
export const scimLimits = {
  /** Resources of a page, and the number without `count`. */
  pageMaximum: 1000,
  pageDefault: 100,
  bulkOperations: 100,
  bodyBytes: 1024 * 1024,
} as const

/** Returns the ServiceProviderConfig. */
export const serviceProviderConfig = (base: string): Values => ({
  schemas: [urn('ServiceProviderConfig')],
  documentationUri: `${new URL(base).origin}/docs/guide/scim`,
  patch: { supported: true },
  bulk: {
    supported: true,
    maxOperations: scimLimits.bulkOperations,
    maxPayloadSize: scimLimits.bodyBytes,
  },
  filter: { supported: true, maxResults: scimLimits.pageMaximum },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the organization, created in the console or with muster scim token create.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

/** Returns all resource types. */
export const resourceTypeDocuments = (base: string): Values[] =>
  resourceTypes.map(({ name, endpoint, description, schema, extensions }: ResourceType) => ({
    schemas: [urn('ResourceType')],
    id: name,
    name,
    endpoint,
    description,
    schema: schema.id,
    ...(extensions.length > 0
      ? { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }
      : {}),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

/** Returns all schemas. */
export const schemaDocuments = (base: string): Values[] =>
  resourceTypes
    .flatMap(({ schema, extensions }) => [schema, ...extensions])
    .map(({ id, name, description, attributes }: ScimSchema) => ({
      schemas: [urn('Schema')],
      id,
      name,
      description,
      attributes: attributes.map(attributeDocument),
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
    }))

/** Returns the declaration of an attribute. Members that its type does not have are left out (RFC 7643, section 7). */
function attributeDocument(attribute: Attribute): Values {
  const { name, type, multiValued, description, required, mutability, returned, uniqueness } = attribute
  const { caseExact, canonicalValues, referenceTypes, subAttributes } = attribute
  const isText = type === 'string' || type === 'reference' || type === 'binary'
  return {
    name,
    type,
    multiValued,
    description,
    required,
    ...(isText ? { caseExact } : {}),
    ...(canonicalValues ? { canonicalValues } : {}),
    mutability,
    returned,
    ...(type === 'complex' && uniqueness === 'none' ? {} : { uniqueness }),
    ...(type === 'reference' ? { referenceTypes: referenceTypes ?? ['uri'] } : {}),
    ...(subAttributes ? { subAttributes: subAttributes.map(attributeDocument) } : {}),
  }
}
