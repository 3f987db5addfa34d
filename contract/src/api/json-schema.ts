/**
 * The part of JSON Schema that the contract is written in. TypeBox schemas are such objects; code that reads
 * schemas instead of validating with them sees them through this shape.
 */
export interface JsonSchema {
  readonly $id?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly enum?: readonly (string | null)[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly anyOf?: readonly JsonSchema[]
}

/** True if a schema allows a type such as `string`. Nullable schemas list several types. */
export const hasType = (schema: JsonSchema, type: string): boolean =>
  Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type

/** Returns the declared example, or one composed from the examples of the members. */
export const exampleOf = (schema: JsonSchema): unknown => {
  if (schema.examples) return schema.examples[0]
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, exampleOf(member)]),
    )
  return schema.items ? [exampleOf(schema.items)] : undefined
}
