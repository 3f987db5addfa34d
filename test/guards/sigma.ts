import type { JsonSchema } from '@muster/contract/api/json-schema'
import {
  type EventObject,
  eventDeclarationOf,
  exampleEventOf,
  isEventObject,
} from '@muster/contract/events/event-objects'

/** Rule in the format of Sigma, as far as the rules here use it. */
export interface SigmaRule {
  readonly title: string
  readonly id: string
  readonly status: string
  readonly description: string
  readonly author: string
  readonly date: string
  readonly tags: readonly string[]
  readonly logsource: { readonly product: string; readonly service: string }
  /** Selections by name, and the condition that combines them. */
  readonly detection: { readonly condition: string } & Readonly<Record<string, Selection | string>>
  readonly falsepositives: readonly string[]
  readonly level: string
}
type SigmaValue = string | boolean | readonly string[]
type Selection = Readonly<Record<string, SigmaValue>>

/** Part of a condition, of which one must hold: `selection`, or `selection and not known`. */
interface Alternative {
  readonly wanted: Selection
  readonly unwanted: Selection | undefined
}

const members = [
  'title',
  'id',
  'status',
  'description',
  'author',
  'date',
  'tags',
  'logsource',
  'detection',
  'falsepositives',
  'level',
]
const levels = ['informational', 'low', 'medium', 'high', 'critical']
const statuses = ['stable', 'test', 'experimental', 'deprecated', 'unsupported']

/** Returns the mistakes of a rule: its form, and fields or values that no event has. */
export function sigmaMistakes(rule: SigmaRule): string[] {
  const mistakes: string[] = []
  const expect = (holds: boolean, mistake: string) => holds || mistakes.push(mistake)
  expect(Object.keys(rule).join() === members.join(), `has the members ${Object.keys(rule).join(', ')}`)
  expect(
    /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(rule.id),
    'id is no UUID',
  )
  expect(rule.title.length <= 100 && !rule.title.endsWith('.'), 'title is too long, or a sentence')
  expect(/^\d{4}-\d{2}-\d{2}$/.test(rule.date), 'date is not like 2026-11-26')
  expect(levels.includes(rule.level), `level is none of ${levels.join(', ')}`)
  expect(statuses.includes(rule.status), `status is none of ${statuses.join(', ')}`)
  expect(
    rule.tags.every((tag) => /^attack\.(?:t\d{4}(?:\.\d{3})?|[a-z-]+)$/.test(tag)),
    'a tag is not of ATT&CK',
  )
  expect(rule.logsource.product === 'muster' && rule.logsource.service === 'events', 'another log source')
  expect(rule.falsepositives.length > 0, 'falsepositives is empty')
  expect(
    Object.keys(selectionsOf(rule)).every((name) => rule.detection.condition.split(' ').includes(name)),
    'a selection is not used',
  )
  for (const { wanted, unwanted } of alternativesOf(rule)) {
    const { object } = wanted
    if (typeof object !== 'string' || !isEventObject(object)) mistakes.push(`object ${object} is no event`)
    else
      for (const [field, value] of [...Object.entries(wanted), ...Object.entries(unwanted ?? {})])
        mistakes.push(...fieldMistakes(object, field, value))
  }
  return mistakes
}

const selectionsOf = ({ detection: { condition: _condition, ...selections } }: SigmaRule) =>
  selections as Readonly<Record<string, Selection>>

/** @throws Error for a condition in another form */
function alternativesOf(rule: SigmaRule): readonly Alternative[] {
  const selections = selectionsOf(rule)
  return rule.detection.condition.split(' or ').map((part) => {
    const [, name = '', without] = /^(\w+)(?: and not (\w+))?$/.exec(part) ?? []
    const wanted = selections[name]
    const unwanted = without === undefined ? undefined : selections[without]
    if (!wanted || (without !== undefined && !unwanted)) throw new Error(`the condition has the part ${part}`)
    return { wanted, unwanted }
  })
}

/** Returns the path of a field, and true if its value is a part of a text. */
function fieldOf(field: string): { readonly path: readonly string[]; readonly isPart: boolean } {
  const [path = '', modifier] = field.split('|')
  return { path: path.split('.'), isPart: modifier === 'contains' }
}

function fieldMistakes(object: EventObject, field: string, value: SigmaValue): string[] {
  const schema = eventDeclarationOf(object).schema as JsonSchema
  const found = fieldOf(field).path.reduce<readonly JsonSchema[]>(membersOf, [schema])
  if (found.length === 0) return [`${object} has no field ${field}`]
  const values = Array.isArray(value) ? value : [value]
  return values
    .filter((one) => !found.some((each) => allows(each, one)))
    .map((one) => `${field} is never ${one}`)
}

/** Returns the schemas of a member in all branches of schemas. */
const membersOf = (schemas: readonly JsonSchema[], name: string): readonly JsonSchema[] =>
  schemas.flatMap(branches).flatMap(({ properties }) => properties?.[name] ?? [])

const branches = (schema: JsonSchema): readonly JsonSchema[] => schema.anyOf?.flatMap(branches) ?? [schema]

const allows = (schema: JsonSchema, value: unknown): boolean =>
  branches(schema).some((branch) => {
    if ('const' in branch) return branch.const === value
    return branch.enum ? branch.enum.includes(value as string) : typeof value === branch.type
  })

/** Returns true if a rule selects an event. */
export const selects = (rule: SigmaRule, event: unknown): boolean =>
  alternativesOf(rule).some(
    ({ wanted, unwanted }) => matches(wanted, event) && !(unwanted && matches(unwanted, event)),
  )

const matches = (selection: Selection, event: unknown): boolean =>
  Object.entries(selection).every(([field, value]) => {
    const { path, isPart } = fieldOf(field)
    const found = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], event)
    if (isPart) return String(found).includes(String(value))
    return Array.isArray(value) ? value.includes(found) : value === found
  })

/** Returns a sample event for each part of a condition, with the values of its selection. */
export const samplesFor = (rule: SigmaRule): readonly unknown[] =>
  alternativesOf(rule).map(({ wanted }) => {
    const sample = structuredClone(exampleEventOf(wanted.object as EventObject)) as unknown as Record<
      string,
      unknown
    >
    for (const [field, value] of Object.entries(wanted)) {
      const path = [...fieldOf(field).path]
      const last = path.pop() ?? ''
      const holder = path.reduce((at, name) => at[name] as Record<string, unknown>, sample)
      holder[last] = Array.isArray(value) ? value[0] : value
    }
    return sample
  })
