import { canonicalText, isEmailAddress, meetsFormat, textFormats } from '@muster/contract/text/text-format'
import { characterCount } from '../../kernel/lib/text.ts'
import { enterpriseUrn } from './protocol/resource-types.rules.ts'
import { badRequest } from './protocol/scim-error.rules.ts'
import type { Values } from './protocol/scim-schema.rules.ts'

/** Members of an employee that a directory gives; null if it gives none. */
export interface DirectoryFields {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly department: string | null
  readonly location: string | null
}

export const directoryFieldNames = ['firstName', 'lastName', 'department', 'location'] as const

const lengthMaximum = 256

/**
 * Returns the members of an employee that the attributes of a user give.
 *
 * @throws ScimError invalidValue if an employee cannot have a value
 */
export function directoryFields(values: Values): DirectoryFields {
  const name = (values.name ?? {}) as Values
  const enterprise = (values[enterpriseUrn] ?? {}) as Values
  const address = preferred(values.addresses)
  return {
    firstName: line(name.givenName, 'name.givenName'),
    lastName: line(name.familyName, 'name.familyName'),
    department: line(enterprise.department, `${enterpriseUrn}:department`),
    location: line(address?.locality ?? address?.formatted ?? address?.region, 'addresses'),
  }
}

/** Returns the address of a user's employee: the primary one, that at work, the first, or the user name. */
export function employeeAddress(values: Values): string | null {
  const given = [preferred(values.emails)?.value, values.userName]
  for (const one of given) {
    const address = typeof one === 'string' ? canonicalText(textFormats.email, one.trim()) : ''
    if (isEmailAddress(address)) return address
  }
  return null
}

/** Returns the preferred value of a multi-valued attribute. */
function preferred(list: unknown): Values | undefined {
  if (!Array.isArray(list)) return undefined
  const values = list as Values[]
  return (
    values.find(({ primary }) => primary === true) ??
    values.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work') ??
    values[0]
  )
}

function line(value: unknown, path: string): string | null {
  if (typeof value !== 'string') return null
  const text = canonicalText(textFormats.line, value.replaceAll(/\s+/g, ' ').trim())
  if (text === '') return null
  if (characterCount(text) > lengthMaximum)
    throw badRequest('invalidValue', `${path} may have at most ${lengthMaximum} characters.`)
  if (!meetsFormat(textFormats.line, text))
    throw badRequest('invalidValue', `${path} must not contain control characters.`)
  return text
}

const groupLengthMaximum = 128

/**
 * Returns the name of a group of employees.
 *
 * @throws ScimError invalidValue
 */
export function groupName(displayName: unknown): string {
  const name = typeof displayName === 'string' ? canonicalText(textFormats.name, displayName) : ''
  if (name === '' || characterCount(name) > groupLengthMaximum || !meetsFormat(textFormats.name, name)) {
    const expected = `1 to ${groupLengthMaximum} characters, without control characters`
    throw badRequest('invalidValue', `displayName must have ${expected}.`)
  }
  return name
}

/** Returns true unless the user is inactive. A user without the attribute is active. */
export const isActive = (values: Values): boolean => values.active !== false
