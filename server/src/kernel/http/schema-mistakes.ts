import type { Mistake } from '@muster/contract/api/errors'
import { formatRequirements } from '@muster/contract/text/text-format'
import type { TSchema } from 'typebox'

/** Error of the validator, in the common format of JSON Schema validators. */
export interface SchemaError {
  keyword: string
  schemaPath: string
  instancePath: string
  params: object
}

type Params = Record<string, unknown>

const emptyMessage = 'must not be empty'

/** Converts validator errors to messages that say what is valid, one per place. */
export function schemaMistakes(schema: TSchema, found: readonly SchemaError[]): Mistake[] {
  // The validator stops after a maximum of errors, so a choice after the last complete one may be incomplete.
  const errors = found.slice(0, found.findLastIndex(isChoice) + 1 || found.length)
  const choices = choicesIn(errors)
  const mistakes = new Map<string, Mistake>()
  for (const error of errors) {
    const within = choices.get(choiceAround(choices, error.instancePath))
    // Reports the choice itself, or the errors of the intended branch if it is unambiguous.
    const isReported =
      within === undefined || (within.intended ? isAt(error.schemaPath, within.intended) : isChoice(error))
    if (!isReported) continue
    for (const { place, message } of explain(schema, error)) {
      const name = memberName(place)
      const known = mistakes.get(name)
      // The required format says more than the length.
      if (known === undefined || (isFormatError(error) && known.message !== emptyMessage))
        mistakes.set(name, { in: 'body', name, message })
    }
  }
  return [...mistakes.values()]
}

/** Returns true for an error in the format of a text. */
const isFormatError = ({ keyword }: SchemaError): boolean => keyword === 'pattern' || keyword === 'format'

const isChoice = ({ keyword }: SchemaError): boolean => keyword === 'anyOf'

const isAt = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

/** Places where the schema is a choice, with the branch that was unambiguously intended. */
type Choices = ReadonlyMap<string, { readonly intended: string | undefined }>

function choicesIn(errors: readonly SchemaError[]): Choices {
  const places = new Map(errors.filter(isChoice).map((choice) => [choice.instancePath, choice]))
  const around = Map.groupBy(errors, ({ instancePath }) => choiceAround(places, instancePath))
  return new Map(
    [...places].map(([place, choice]) => [
      place,
      { intended: intendedBranch(choice, around.get(place) ?? []) },
    ]),
  )
}

/** Returns the outermost of the places that contain the path, or the path itself. */
function choiceAround(places: ReadonlyMap<string, unknown>, path: string): string {
  if (places.size === 0) return path
  for (let end = 0; end >= 0; end = path.indexOf('/', end + 1))
    if (places.has(path.slice(0, end))) return path.slice(0, end)
  return path
}

/** Keywords that distinguish a different shape from a wrong value in the right shape. */
const shapeKeywords: ReadonlySet<string> = new Set(['type', 'required', 'additionalProperties'])

/** Returns the path of the only branch of a choice with the shape of the value; undefined if none or several match. */
function intendedBranch(choice: SchemaError, errors: readonly SchemaError[]): string | undefined {
  const branches = `${choice.schemaPath}/anyOf/`
  const fits = new Map<string, boolean>()
  for (const { schemaPath, instancePath, keyword } of errors) {
    if (!schemaPath.startsWith(branches)) continue
    const branch = branches + schemaPath.slice(branches.length).split('/', 1)[0]
    const differs = instancePath === choice.instancePath && shapeKeywords.has(keyword)
    fits.set(branch, !differs && (fits.get(branch) ?? true))
  }
  const intended = [...fits].filter(([, fit]) => fit)
  return intended.length === 1 ? intended[0]?.[0] : undefined
}

/** `/credentials/3/email` → `credentials[3].email`. */
function memberName(path: string): string {
  const parts = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = parts
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
  return name === '' ? 'body' : name.slice(0, 200)
}

function explain(
  schema: TSchema,
  { keyword, schemaPath, instancePath, params }: SchemaError,
): { place: string; message: string }[] {
  const facts = params as Params
  const here = (message: string) => [{ place: instancePath, message }]
  switch (keyword) {
    case 'required':
      return list(facts.requiredProperties).map((name) => ({
        place: `${instancePath}/${name}`,
        message: 'is required',
      }))
    // Undeclared members: each has its own error, and the object has one for all of them.
    case 'boolean': {
      const allowed = Object.keys((schemaAt(schema, schemaPath).properties ?? {}) as object)
      return here(`is not a member of this object; it takes ${allowed.join(', ')}`)
    }
    case 'additionalProperties':
      return []
    case 'type':
      return here(
        `must be ${[facts.type]
          .flat()
          .map((type) => typeNames[String(type)] ?? type)
          .join(' or ')}`,
      )
    case 'enum':
      return here(
        `must be one of ${list(facts.allowedValues)
          .map((value) => value ?? 'null')
          .join(', ')}`,
      )
    case 'minLength':
      return here(facts.limit === 1 ? emptyMessage : `must have at least ${facts.limit} characters`)
    case 'maxLength':
      return here(`must have at most ${facts.limit} characters`)
    case 'minItems':
      return here(`must have at least ${facts.limit} ${facts.limit === 1 ? 'element' : 'elements'}`)
    case 'maxItems':
      return here(`must have at most ${facts.limit} elements`)
    case 'minimum':
      return here(`must be at least ${facts.limit ?? facts.comparison}`)
    case 'maximum':
      return here(`must be at most ${facts.limit}`)
    case 'minProperties':
      return here(
        `must have at least one of ${Object.keys((schemaAt(schema, schemaPath).properties ?? {}) as object).join(', ')}`,
      )
    case 'uniqueItems':
      return here('must not have the same element twice')
    case 'format':
      return here(formatRequirements[String(facts.format)] ?? `must be a ${facts.format}`)
    case 'pattern':
      return here(patternMessage(String(facts.pattern)))
    case 'anyOf':
      return here(choiceMessage(schemaAt(schema, schemaPath)))
    default:
      return here(`must satisfy ${keyword}`)
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

const list = (value: unknown): string[] => (Array.isArray(value) ? value : [])

/** Describes a pattern of the contract. */
export function patternMessage(pattern: string): string {
  if (pattern.includes('{40}')) return 'must be 40 hexadecimal digits, a SHA-1'
  return `must match ${pattern}`
}

function choiceMessage(schema: Record<string, unknown>): string {
  const branches = list(schema.anyOf) as unknown as { properties?: object }[]
  const shapes = branches.map((branch) => `{ ${Object.keys(branch.properties ?? {}).join(', ')} }`)
  return `must be one of ${shapes.join(', ')}`
}

/** Returns the part of the schema that an error is in: its path without the keyword. */
function schemaAt(schema: TSchema, schemaPath: string): Record<string, unknown> {
  let at = schema as unknown as Record<string, unknown>
  for (const part of schemaPath.replace(/^#/, '').split('/').slice(1)) {
    const next = at[part]
    if (typeof next !== 'object' || next === null || part === 'additionalProperties') break
    at = next as Record<string, unknown>
  }
  return at
}
