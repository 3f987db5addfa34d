import { foldCase } from '../../../kernel/lib/fold-case.ts'
import { storable } from '../../../kernel/lib/text.ts'
import { badRequest, type ScimError } from './scim-error.rules.ts'
import {
  type Attribute,
  attributeNamed,
  type ResourceType,
  resolveTarget,
  type Target,
} from './scim-schema.rules.ts'

/** Operators that compare an attribute with a value. */
export const compareOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type CompareOperator = (typeof compareOperators)[number]

/** Value of a comparison: text in lower case unless the attribute respects case, or milliseconds for a time. */
export type FilterValue = string | number | boolean

/** A parsed filter (RFC 7644, section 3.4.2.2). */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | {
      readonly kind: 'compare'
      readonly target: Target
      readonly operator: CompareOperator
      readonly value: FilterValue
      /** The value as it was written. */
      readonly literal: FilterValue
    }
  | { readonly kind: 'present'; readonly target: Target }
  /** True if one value of a multi-valued attribute matches. Targets inside are sub-attributes. */
  | { readonly kind: 'values'; readonly target: Target; readonly part: Filter }
  /** Never true: the attribute is unknown. */
  | { readonly kind: 'never' }

/** Limits of filters. Deeper and longer ones are refused. */
export const filterLimits = { characters: 8192, depth: 32, comparisons: 200 } as const

type Resolve = (path: string) => Target | undefined
type Fault = (detail: string) => ScimError

const invalidFilter: Fault = (detail) => badRequest('invalidFilter', detail)

/**
 * Parses a filter on resources of a type.
 *
 * @param unknown `never`: a comparison of an unknown attribute is false, for queries over several types
 * @throws ScimError invalidFilter
 */
export const parseFilter = (
  type: ResourceType,
  text: string,
  unknown: 'refuse' | 'never' = 'refuse',
): Filter => new FilterParser(text, (path) => resolveTarget(type, path), invalidFilter, unknown).filter()

/**
 * Parses the filter between the brackets of a path, such as `type eq "work"`.
 *
 * @throws ScimError invalidPath
 */
export const parseValueFilter = (attribute: Attribute, text: string): Filter =>
  new FilterParser(
    text,
    subResolver(attribute),
    (detail) => badRequest('invalidPath', detail),
    'refuse',
  ).filter()

const subResolver =
  (attribute: Attribute): Resolve =>
  (path) => {
    const sub = attributeNamed(attribute.subAttributes ?? [], path)
    return sub && { extension: undefined, attribute: sub, sub: undefined }
  }

const tokenForms =
  /\s*(?:(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.:]))|(?<sign>[()[\]])|(?<word>[.]?[A-Za-z$_][\w$.:-]*))/y

interface Token {
  readonly kind: 'string' | 'number' | 'sign' | 'word' | 'end'
  readonly text: string
}

class FilterParser {
  readonly #tokens: readonly Token[]
  readonly #fault: Fault
  readonly #unknown: 'refuse' | 'never'
  #resolve: Resolve
  #inValues = false
  #at = 0
  #depth = 0
  #comparisons = 0

  constructor(text: string, resolve: Resolve, fault: Fault, unknown: 'refuse' | 'never') {
    this.#resolve = resolve
    this.#fault = fault
    this.#unknown = unknown
    if (text.length > filterLimits.characters)
      throw fault(`A filter may have at most ${filterLimits.characters} characters.`)
    this.#tokens = tokensOf(text, fault)
  }

  /** Parses the whole text. */
  filter(): Filter {
    const filter = this.#either()
    if (this.#current().kind !== 'end') throw this.#unexpected('and, or, or the end of the filter')
    return filter
  }

  #current(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #isWord(word: string): boolean {
    return this.#current().kind === 'word' && this.#current().text.toLowerCase() === word
  }

  #take(sign: string): void {
    if (this.#current().kind !== 'sign' || this.#current().text !== sign) throw this.#unexpected(sign)
    this.#at += 1
  }

  #unexpected(expected: string): ScimError {
    const found = this.#current().kind === 'end' ? 'the end' : JSON.stringify(this.#current().text)
    return this.#fault(`The filter has ${found} where ${expected} must be.`)
  }

  #either(): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#single()))
  }

  #joined(kind: 'and' | 'or', parse: () => Filter): Filter {
    const first = parse()
    if (!this.#isWord(kind)) return first
    const parts = [first]
    while (this.#isWord(kind)) {
      this.#at += 1
      parts.push(parse())
    }
    return { kind, parts }
  }

  #single(): Filter {
    if (this.#isWord('not')) {
      this.#at += 1
      return { kind: 'not', part: this.#grouped() }
    }
    return this.#current().text === '(' && this.#current().kind === 'sign'
      ? this.#grouped()
      : this.#expression()
  }

  #nested<T>(parse: () => T): T {
    this.#depth += 1
    if (this.#depth > filterLimits.depth)
      throw this.#fault(`A filter may be nested at most ${filterLimits.depth} levels deep.`)
    const result = parse()
    this.#depth -= 1
    return result
  }

  #grouped(): Filter {
    return this.#nested(() => {
      this.#take('(')
      const filter = this.#either()
      this.#take(')')
      return filter
    })
  }

  #expression(): Filter {
    if (this.#current().kind !== 'word' || this.#current().text.startsWith('.'))
      throw this.#unexpected('the name of an attribute')
    const path = this.#current().text
    this.#at += 1
    const target = this.#resolve(path)
    if (!target && this.#unknown === 'refuse')
      throw this.#fault(`There is no attribute ${JSON.stringify(path)}.`)
    if (this.#current().kind === 'sign' && this.#current().text === '[') return this.#values(path, target)
    return this.#comparison(target, path)
  }

  /** Parses `[filter]`, and the comparison of a sub-attribute that may follow: `emails[type eq "work"].value eq "x"`. */
  #values(path: string, target: Target | undefined): Filter {
    if (this.#inValues || (target && (target.attribute.type !== 'complex' || target.sub)))
      throw this.#fault(`${path} cannot have a filter in brackets.`)
    const outer = this.#resolve
    this.#resolve = target ? subResolver(target.attribute) : () => undefined
    this.#inValues = true
    const part = this.#nested(() => {
      this.#take('[')
      const filter = this.#either()
      this.#take(']')
      return filter
    })
    const parts = [part]
    if (this.#current().kind === 'word' && this.#current().text.startsWith('.')) {
      const name = this.#current().text.slice(1)
      this.#at += 1
      const sub = this.#resolve(name)
      if (!sub && target) throw this.#fault(`${path} has no ${JSON.stringify(name)}.`)
      parts.push(this.#comparison(sub, `${path}.${name}`))
    }
    this.#resolve = outer
    this.#inValues = false
    if (!target) return { kind: 'never' }
    return { kind: 'values', target, part: parts.length === 1 ? part : { kind: 'and', parts } }
  }

  #comparison(target: Target | undefined, path: string): Filter {
    this.#comparisons += 1
    if (this.#comparisons > filterLimits.comparisons)
      throw this.#fault(`A filter may have at most ${filterLimits.comparisons} comparisons.`)
    const operator = this.#current().kind === 'word' ? this.#current().text.toLowerCase() : ''
    if (operator === 'pr') {
      this.#at += 1
      return target ? { kind: 'present', target } : { kind: 'never' }
    }
    if (!isCompareOperator(operator)) throw this.#unexpected(`pr or ${compareOperators.join(', ')}`)
    this.#at += 1
    const literal = this.#literal()
    if (!target) return { kind: 'never' }
    return comparison(target, path, operator, literal, this.#fault)
  }

  #literal(): FilterValue | null {
    const { kind, text } = this.#current()
    const word = kind === 'word' ? text.toLowerCase() : ''
    if (kind !== 'string' && kind !== 'number' && !['true', 'false', 'null'].includes(word))
      throw this.#unexpected('a value: a text in double quotes, a number, true, false or null')
    this.#at += 1
    const value = literalOf(kind === 'word' ? word : text)
    if (value === undefined || (typeof value === 'string' && !storable(value)))
      throw this.#fault(`${text} is not a valid value.`)
    return value
  }
}

/** Returns undefined for text with an invalid escape sequence. */
function literalOf(json: string): FilterValue | null | undefined {
  try {
    return JSON.parse(json) as FilterValue | null
  } catch {
    return undefined
  }
}

const isCompareOperator = (word: string): word is CompareOperator =>
  (compareOperators as readonly string[]).includes(word)

function tokensOf(text: string, fault: Fault): Token[] {
  const tokens: Token[] = []
  tokenForms.lastIndex = 0
  const end = text.trimEnd().length
  while (tokenForms.lastIndex < end) {
    const from = tokenForms.lastIndex
    const groups = tokenForms.exec(text)?.groups
    const kind = (['string', 'number', 'sign', 'word'] as const).find((name) => groups?.[name] !== undefined)
    if (!groups || !kind)
      throw fault(`The filter is not valid at ${JSON.stringify(text.slice(from, from + 20))}.`)
    tokens.push({ kind, text: groups[kind] ?? '' })
  }
  return tokens
}

/** Checks and normalizes a comparison. */
function comparison(
  target: Target,
  path: string,
  operator: CompareOperator,
  literal: FilterValue | null,
  fault: Fault,
): Filter {
  const compared = withValue(target)
  const attribute = compared.sub ?? compared.attribute
  if (attribute.returned === 'never') throw fault(`${path} cannot be used in a filter.`)
  if (literal === null) {
    if (operator !== 'eq' && operator !== 'ne') throw fault(`${operator} cannot compare with null.`)
    const present: Filter = { kind: 'present', target }
    return operator === 'ne' ? present : { kind: 'not', part: present }
  }
  const unsupported = () => fault(`${path} ${operator} ${JSON.stringify(literal)} is not supported.`)
  const compare = (value: FilterValue): Filter => ({
    kind: 'compare',
    target: compared,
    operator,
    value,
    literal,
  })
  switch (attribute.type) {
    case 'complex':
      throw fault(`${path} has several parts: name one of them, for example ${path}.${firstSub(attribute)}.`)
    case 'boolean': {
      const value = typeof literal === 'string' ? booleanOf(literal) : literal
      if (typeof value !== 'boolean' || (operator !== 'eq' && operator !== 'ne')) throw unsupported()
      return compare(value)
    }
    case 'dateTime': {
      const value = typeof literal === 'string' ? Date.parse(literal) : Number.NaN
      if (Number.isNaN(value) || ['co', 'sw', 'ew'].includes(operator)) throw unsupported()
      return compare(value)
    }
    default: {
      const isOrdered = ['gt', 'ge', 'lt', 'le'].includes(operator)
      if (typeof literal !== 'string' || (attribute.type === 'binary' && isOrdered)) throw unsupported()
      return compare(attribute.caseExact ? literal : foldCase(literal))
    }
  }
}

const firstSub = ({ subAttributes = [] }: Attribute): string => subAttributes[0]?.name ?? 'value'

/** Returns the target that a comparison means: `emails` stands for `emails.value` (RFC 7644, section 3.4.2.2). */
function withValue(target: Target): Target {
  if (target.sub || target.attribute.type !== 'complex') return target
  const sub = attributeNamed(target.attribute.subAttributes ?? [], 'value')
  return sub ? { ...target, sub } : target
}

/** Returns the boolean that a text stands for. Entra ID sends booleans as texts. */
export function booleanOf(text: string): boolean | undefined {
  const folded = text.toLowerCase()
  return folded === 'true' ? true : folded === 'false' ? false : undefined
}
