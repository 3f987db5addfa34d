import type { ValueSchema } from '../api/filter-schema.ts'
import { labelLengthMaximum } from '../records/app.ts'
import { consoleLoginMethods } from './login-methods.ts'

/**
 * A filter of console lists that `/v1` does not have. A record must match one of several values.
 * The server finds the rows in `storage/console-predicates.ts`.
 */
export interface ConsoleFilter {
  readonly description: string
  readonly schema: ValueSchema
  readonly example: unknown
}

const flag = (description: string): ConsoleFilter => ({
  description,
  schema: { type: 'boolean' },
  example: true,
})

const oneOf = (description: string, values: readonly string[]): ConsoleFilter => ({
  description,
  schema: { type: 'string', enum: values },
  example: values[0],
})

const id = (description: string): ConsoleFilter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: 256 },
  example: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
})

const loginMethod = oneOf('Only accounts with a login by one of these methods.', consoleLoginMethods)

/** MFA states of an account. */
export const mfaFilterValues = ['REGISTERED', 'NOT_REGISTERED', 'UNKNOWN'] as const

/** Additional filters of console lists by collection name. */
export const consoleFilters: Readonly<Record<string, Readonly<Record<string, ConsoleFilter>>>> = {
  employees: {
    activeBrowser: flag('Only employees with (true) or without (false) an active browser.'),
    employeeId: id('Only these employees.'),
  },
  accounts: {
    mfa: oneOf('Only accounts whose second factor is known to be so.', mfaFilterValues),
    loginMethod,
    passwordSeen: flag('Only accounts whose password was (true) or was not (false) seen.'),
  },
  accountsOther: { loginMethod },
  browsers: {
    licensed: flag('Only browsers of employees who are (true) or are not (false) licensed.'),
    group: {
      description: 'Only browsers of employees in one of these groups.',
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: 'Engineers',
    },
  },
  apps: {
    anyLabel: {
      description: 'Only apps with one of these labels.',
      schema: { type: 'string', minLength: 1, maxLength: labelLengthMaximum },
      example: 'GenAI',
    },
  },
}

/** Filter that excludes one record, for lists of similar records. */
export const exceptFilter: ConsoleFilter = id('All records but this one.')
