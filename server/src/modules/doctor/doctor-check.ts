import type { Config } from '../../kernel/config/config.ts'
import type { OrganizationConfig } from '../settings/organization-configs.ts'

/** One check of `muster doctor`. To add one, write a file in `checks/` and a line in `doctor-checks.ts`. */
export interface DoctorCheck {
  /** Name of the check's findings, unless a finding has its own. */
  readonly name: string
  run(context: CheckContext): readonly Finding[] | Promise<readonly Finding[]>
}

/** Input of a check. */
export interface CheckContext {
  /** Settings in effect for the server and its first organization. */
  readonly config: Config
  /** Other organizations that have set settings in the console. */
  readonly others: readonly OrganizationConfig[]
  readonly nowMs: number
}

/** Result of a check: fine, a warning, or a failure that needs action. */
export interface Finding {
  /** Overrides the name of the check. */
  readonly check?: string
  readonly state: 'ok' | 'warn' | 'fail'
  /** Result as a sentence. */
  readonly message: string
  /** Action to take. */
  readonly advice?: string
}

/** Finding with its name. */
export interface NamedFinding extends Finding {
  readonly check: string
}

export const ok = (message: string): Finding => ({ state: 'ok', message })
export const warn = (message: string, advice: string): Finding => ({ state: 'warn', message, advice })
export const fail = (message: string, advice: string): Finding => ({ state: 'fail', message, advice })

/** Gives a finding the name of one part of a check. */
export const named = (check: string, { state, message, advice }: Finding): NamedFinding => ({
  check,
  state,
  message,
  ...(advice !== undefined && { advice }),
})

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
