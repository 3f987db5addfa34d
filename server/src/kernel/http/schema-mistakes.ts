import type { Mistake } from '@muster/contract/errors'
import { formatRequirements } from '@muster/contract/text-format'
import type { TSchema } from 'typebox'

/** What the validator says of one place; the shape is that of JSON Schema validators in general. */
export interface SchemaError {
  keyword: string
  schemaPath: string
  instancePath: string
  params: object
}

type Params = Record<string, unknown>

const emptyMessage = 'must not be empty'

/** Says of each error of the validator what would be right, in words, once per place. */
export function schemaMistakes(schema: TSchema, found: readonly SchemaError[]): Mistake[] {
  // The validator stops at some number of errors: what comes behind the last choice may be one that is not told whole.
  const errors = found.slice(0, found.findLastIndex(isChoice) + 1 || found.length)
  const choices = choicesIn(errors)
  const mistakes = new Map<string, Mistake>()
  for (const error of errors) {
    const within = choices.get(choiceAround(choices, error.instancePath))
    // A choice explains itself, but where it is plain which branch was meant: then that one does.
    const told =
      within === undefined || (within.meant ? isAt(error.schemaPath, within.meant) : isChoice(error))
    if (!told) continue
    for (const { place, message } of explain(schema, error)) {
      const name = nameOf(place)
      const known = mistakes.get(name)
      // The form that is asked for tells more than the length that it has.
      if (known === undefined || (isForm(error) && known.message !== emptyMessage))
        mistakes.set(name, { in: 'body', name, message })
    }
  }
  return [...mistakes.values()]
}

/** Returns true for a mistake in the form of a text. */
const isForm = ({ keyword }: SchemaError): boolean => keyword === 'pattern' || keyword === 'format'

const isChoice = ({ keyword }: SchemaError): boolean => keyword === 'anyOf'

const isAt = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

/** The places where a value is one of several, with the branch that was plainly meant. */
type Choices = ReadonlyMap<string, { readonly meant: string | undefined }>

function choicesIn(errors: readonly SchemaError[]): Choices {
  const places = new Map(errors.filter(isChoice).map((choice) => [choice.instancePath, choice]))
  const around = Map.groupBy(errors, ({ instancePath }) => choiceAround(places, instancePath))
  return new Map(
    [...places].map(([place, choice]) => [place, { meant: meantBranch(choice, around.get(place) ?? []) }]),
  )
}

/** The outermost of the places that the path lies at; the path itself if it lies at none. */
function choiceAround(places: ReadonlyMap<string, unknown>, path: string): string {
  if (places.size === 0) return path
  for (let end = 0; end >= 0; end = path.indexOf('/', end + 1))
    if (places.has(path.slice(0, end))) return path.slice(0, end)
  return path
}

/** What tells a value of another shape from a value of the right shape with something wrong in it. */
const shapeKeywords: ReadonlySet<string> = new Set(['type', 'required', 'additionalProperties'])

/** The path of the one branch of a choice that has the shape of the value; undefined if none or several have. */
function meantBranch(choice: SchemaError, errors: readonly SchemaError[]): string | undefined {
  const branches = `${choice.schemaPath}/anyOf/`
  const fits = new Map<string, boolean>()
  for (const { schemaPath, instancePath, keyword } of errors) {
    if (!schemaPath.startsWith(branches)) continue
    const branch = branches + schemaPath.slice(branches.length).split('/', 1)[0]
    const differs = instancePath === choice.instancePath && shapeKeywords.has(keyword)
    fits.set(branch, !differs && (fits.get(branch) ?? true))
  }
  const meant = [...fits].filter(([, fit]) => fit)
  return meant.length === 1 ? meant[0]?.[0] : undefined
}

/** `/credentials/3/email` → `credentials[3].email`. */
function nameOf(path: string): string {
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
  const told = params as Params
  const here = (message: string) => [{ place: instancePath, message }]
  switch (keyword) {
    case 'required':
      return list(told.requiredProperties).map((name) => ({
        place: `${instancePath}/${name}`,
        message: 'is required',
      }))
    // Members that are not declared: each has an error of its own, and the object one for all of them.
    case 'boolean': {
      const allowed = Object.keys((schemaAt(schema, schemaPath).properties ?? {}) as object)
      return here(`is not a member of this object; it takes ${allowed.join(', ')}`)
    }
    case 'additionalProperties':
      return []
    case 'type':
      return here(
        `must be ${[told.type]
          .flat()
          .map((type) => typeNames[String(type)] ?? type)
          .join(' or ')}`,
      )
    case 'enum':
      return here(
        `must be one of ${list(told.allowedValues)
          .map((value) => value ?? 'null')
          .join(', ')}`,
      )
    case 'minLength':
      return here(told.limit === 1 ? emptyMessage : `must have at least ${told.limit} characters`)
    case 'maxLength':
      return here(`must have at most ${told.limit} characters`)
    case 'minItems':
      return here(`must have at least ${told.limit} ${told.limit === 1 ? 'element' : 'elements'}`)
    case 'maxItems':
      return here(`must have at most ${told.limit} elements`)
    case 'minimum':
      return here(`must be at least ${told.limit ?? told.comparison}`)
    case 'maximum':
      return here(`must be at most ${told.limit}`)
    case 'minProperties':
      return here(
        `must have at least one of ${Object.keys((schemaAt(schema, schemaPath).properties ?? {}) as object).join(', ')}`,
      )
    case 'uniqueItems':
      return here('must not have the same element twice')
    case 'format':
      return here(formatRequirements[String(told.format)] ?? `must be a ${told.format}`)
    case 'pattern':
      return here(patternMessage(String(told.pattern)))
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

/** Says in words what text a pattern of the contract asks for. */
export function patternMessage(pattern: string): string {
  if (pattern.includes('{40}')) return 'must be 40 hexadecimal digits, a SHA-1'
  return `must match ${pattern}`
}

function choiceMessage(schema: Record<string, unknown>): string {
  const branches = list(schema.anyOf) as unknown as { properties?: object }[]
  const shapes = branches.map((branch) => `{ ${Object.keys(branch.properties ?? {}).join(', ')} }`)
  return `must be one of ${shapes.join(', ')}`
}

/** The part of the schema that an error stands in: its path without the keyword. */
function schemaAt(schema: TSchema, schemaPath: string): Record<string, unknown> {
  let at = schema as unknown as Record<string, unknown>
  for (const part of schemaPath.replace(/^#/, '').split('/').slice(1)) {
    const next = at[part]
    if (typeof next !== 'object' || next === null || part === 'additionalProperties') break
    at = next as Record<string, unknown>
  }
  return at
}
