import type { JsonSchema } from './json-schema.ts'

/** The schemas of the document by name, and how to refer to them. */
export interface SchemaRegistry {
  readonly schemas: Record<string, object>
  /** The schema as it stands in the document: one with an `$id` becomes a component and a reference to it. */
  readonly use: (schema: JsonSchema) => object
}

/**
 * Makes one component of each `$id`. Two different schemas under one `$id` are a mistake in the contract, and
 * throw.
 */
export const schemaRegistry = (): SchemaRegistry => {
  const schemas: Record<string, object> = {}
  const sources = new Map<string, string>()

  const inline = ({ $id: _, ...schema }: JsonSchema): object => ({
    ...schema,
    ...(schema.items && { items: use(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(use) }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, member]) => [name, use(member)]),
      ),
    }),
  })

  const use = (schema: JsonSchema): object => {
    const { $id: name } = schema
    if (name === undefined) return inline(schema)
    const source = JSON.stringify(schema)
    if (!sources.has(name)) {
      sources.set(name, source)
      schemas[name] = inline(schema)
    }
    if (sources.get(name) !== source) throw new Error(`Two schemas have the $id ${name}`)
    return { $ref: `#/components/schemas/${name}` }
  }

  return { schemas, use }
}
