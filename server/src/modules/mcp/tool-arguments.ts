import { invalidRequest, type Mistake } from '@muster/contract/api/errors'
import type { QueryParameter } from '@muster/contract/api/filter-schema'
import type { JsonSchema } from '@muster/contract/api/json-schema'
import { type QueryValues, readQuery } from '../../kernel/http/query.ts'
import type { Tool, ToolArguments } from './tool.ts'

/** Returns the schema of a tool whose arguments are query parameters. */
export function argumentsSchema(
  parameters: readonly QueryParameter[],
  required: readonly string[] = [],
): Tool['inputSchema'] {
  const properties = parameters.map(({ name, description, schema, maxValues }): [string, JsonSchema] => {
    const { format: _format, ...value } = schema as JsonSchema
    const described = maxValues === 1 ? value : { type: 'array', items: value, maxItems: maxValues }
    return [name, { ...described, description } as JsonSchema]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...required],
    additionalProperties: false,
  } as Tool['inputSchema']
}

/**
 * Validates arguments as the API validates a query, so that both accept the same values and report the same mistakes.
 *
 * @throws ApiError invalid_request that names every mistake
 */
export function readArguments(
  given: ToolArguments,
  parameters: readonly QueryParameter[],
  required: readonly string[] = [],
): QueryValues {
  const query = new URLSearchParams()
  const mistakes: Mistake[] = []
  for (const [name, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (['string', 'number', 'boolean'].includes(typeof one)) query.append(name, String(one))
      else if (one !== null && one !== undefined)
        mistakes.push({ in: 'body', name, message: 'must be a text, a number, true or false' })
    }
  }
  for (const name of required)
    if (!query.has(name)) mistakes.push({ in: 'body', name, message: 'is required' })
  if (mistakes.length > 0) throw invalidRequest(mistakes)
  return readQuery(`?${query}`, new Map(parameters.map((one) => [one.name, one])))
}
