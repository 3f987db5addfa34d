/** What a check found: all is well, it will be a problem, or it is one. */
export interface CheckFinding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  /** What was found, as a sentence. */
  readonly message: string
  /** What to do about it. */
  readonly advice?: string
}

/** Names what a check found. */
export const ok = (check: string, message: string): CheckFinding => ({ check, state: 'ok', message })
export const warn = (check: string, message: string, advice: string): CheckFinding => ({
  check,
  state: 'warn',
  message,
  advice,
})
export const fail = (check: string, message: string, advice: string): CheckFinding => ({
  check,
  state: 'fail',
  message,
  advice,
})

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
