/** Invalid settings. The messages are for the operator and say what is valid. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** All mistakes, one sentence each. */
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[], options?: ErrorOptions) {
    super(mistakes.join('\n'), options)
    this.mistakes = mistakes
  }
}
