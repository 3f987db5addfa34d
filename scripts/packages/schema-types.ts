import type { JsonSchema } from '@muster/contract/api/json-schema'

/** Schema with the forms that only some declarations use. */
type AnySchema = JsonSchema & {
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
}

/** TypeScript declarations of schemas. */
export interface TypeWriter {
  /** Returns the type of a schema: its name if it has an `$id`. */
  typeOf(schema: JsonSchema): string
  /** Returns the declarations of all named schemas so far. */
  declarations(): string
}

const comment = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`

const jsonValue = `/** Any value of JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }
`

/** Creates a writer that declares each named schema once. */
export function typeWriter(): TypeWriter {
  const declared = new Map<string, string>()

  function typeOf(schema: AnySchema): string {
    const { $id: name } = schema
    if (name === undefined) return inlineType(schema)
    if (!declared.has(name)) {
      // Before its members, which may refer to it.
      declared.set(name, '')
      const type = inlineType(schema)
      const head = type.startsWith('{') ? `export interface ${name} ${type}` : `export type ${name} = ${type}`
      declared.set(name, `${comment(schema.description)}${head}\n`)
    }
    return name
  }

  function inlineType(schema: AnySchema): string {
    if ('const' in schema) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
    const types = Array.isArray(schema.type) ? (schema.type as string[]) : [String(schema.type)]
    if (types.includes('object') && !schema.properties) {
      declared.set('JsonValue', jsonValue)
      return 'JsonValue'
    }
    return types.map((type) => typeNamed(type, schema)).join(' | ')
  }

  function typeNamed(type: string, schema: AnySchema): string {
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'string' || type === 'boolean' || type === 'null') return type
    if (type === 'array') return `(${typeOf(schema.items ?? {})})[]`
    if (type !== 'object' || !schema.properties)
      throw new Error(`no TypeScript type for the schema ${JSON.stringify(schema).slice(0, 200)}`)
    const members = Object.entries(schema.properties).map(([name, member]) => {
      const optional = schema.required?.includes(name) ? '' : '?'
      return `${comment(member.description, '  ')}  ${name}${optional}: ${typeOf(member).replaceAll('\n', '\n  ')}\n`
    })
    return `{\n${members.join('')}}`
  }

  return { typeOf, declarations: () => [...declared.values()].join('\n') }
}
