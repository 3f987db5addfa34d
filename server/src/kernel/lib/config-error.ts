/** Settings with which Muster cannot start. Meant for the operator: every mistake says what would be right. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** All mistakes that were found, one sentence each. */
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[], options?: ErrorOptions) {
    super(mistakes.join('\n'), options)
    this.mistakes = mistakes
  }
}
