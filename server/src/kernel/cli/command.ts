import type { TSchema } from 'typebox'
import type { Config, Environment } from '../config/config.ts'
import type { SettingName } from '../config/config-settings.ts'

/** An option of a command. Its key in the code, `dryRun`, is `--dry-run` on the command line. */
export interface OptionSpec {
  /** `flag`: given or not; `list`: may be repeated; `number`: a whole number. */
  readonly type: 'text' | 'number' | 'flag' | 'list'
  readonly help: string
  readonly required?: boolean
  /** The only texts that are allowed. */
  readonly choices?: readonly string[]
  /** Bounds of a number, both included. */
  readonly minimum?: number
  readonly maximum?: number
  /** What counts when the option is not given, as it would be typed. */
  readonly fallback?: string
  /** What stands for the value in the help: `EMAIL`. */
  readonly placeholder?: string
  /** Schema of the contract that the text must meet, in the canonical form of its format. */
  readonly schema?: TSchema
}

/** A word that follows the command without dashes. */
export interface PositionalSpec {
  /** What stands for it in the help: `FILE`. */
  readonly name: string
  readonly help: string
  readonly required?: boolean
  /** Takes all words that are left; only for the last one. */
  readonly many?: boolean
  /** Schema of the contract that each word must meet, in the canonical form of its format. */
  readonly schema?: TSchema
}

type TextOf<Spec> = Spec extends { choices: readonly (infer Choice extends string)[] } ? Choice : string
type GivenValue<Spec extends OptionSpec> = {
  text: TextOf<Spec>
  number: number
  flag: boolean
  list: readonly TextOf<Spec>[]
}[Spec['type']]
type IsAlwaysThere<Spec> = Spec extends { type: 'flag' | 'list' } | { required: true } | { fallback: string }
  ? true
  : false

/** The values of a command's options: a flag is true or false, a list may be empty, the rest may be undefined. */
export type OptionValues<Options extends OptionSpecs> = {
  readonly [Name in keyof Options]: IsAlwaysThere<Options[Name]> extends true
    ? GivenValue<Options[Name]>
    : GivenValue<Options[Name]> | undefined
}

/** The options of a command by name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** What was typed behind a command's name. */
export interface CommandArguments<Options extends OptionSpecs = OptionSpecs> {
  readonly options: OptionValues<Options>
  /** The words in the order of the command's positionals; fewer when optional ones were left out. */
  readonly words: readonly string[]
}

/** What the command line talks to: the process, or a test. */
export interface CommandIo {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Environment
  readonly cwd: string
  /** Aborted by SIGINT or SIGTERM: a long-running command ends what it has begun and returns. */
  readonly signal: AbortSignal
}

/** What a command works with besides its arguments. */
export interface CommandContext {
  readonly io: CommandIo
  readonly signal: AbortSignal
  /** Whether `--json` was given; only commands that declare `json` have it. */
  readonly json: boolean
  /** The settings, with the flags of this call. @throws ConfigError */
  config(): Config
  /** Writes a line to standard output: what a person or a script asked for. */
  print(line: string): void
  /** Writes a value to standard output, as one line of JSON. */
  printJson(value: unknown): void
  /**
   * Writes a part of a long text to standard output, no sooner than it is taken there: whoever reads may be slower.
   *
   * @returns whether more can be written; no longer if nobody reads, or it failed, which is told by who gave the stream
   */
  printPart(text: string): Promise<boolean>
  /** Writes a line to standard error: what a person should know besides. */
  note(line: string): void
}

/** A command as data. Make one with {@link defineCommand}. */
export interface Command<Options extends OptionSpecs = OptionSpecs> {
  /** `serve`, or two words: `keys create`. */
  readonly name: string
  /** One line that says what it does, without full stop. */
  readonly summary: string
  /** More help, below the options: examples. */
  readonly details?: string
  readonly options: Options
  readonly positionals?: readonly PositionalSpec[]
  /** Settings that this command takes as flags besides `--data`, `--config` and `--database-url`. */
  readonly settings?: readonly SettingName[]
  /**
   * Whether there must be a store already: in a data folder that is mistyped nothing is found, and nothing made. Left out
   * where the command may be the first of a new store.
   */
  readonly needsStore?: boolean
  /** Whether the command has `--json`. */
  readonly json?: boolean
  /**
   * Does the work.
   *
   * @returns the exit code, 0 if nothing is returned
   * @throws CommandFailure for a failure that is explained by its message; UsageError for wrong arguments
   */
  run(
    context: CommandContext,
    args: CommandArguments<Options>,
  ): Promise<number> | Promise<number | undefined> | Promise<void>
}

/** Declares a command; the types of its arguments follow from its options. */
export function defineCommand<const Options extends OptionSpecs>(command: Command<Options>): Command {
  return command
}

/** A failure that its message explains in full: exit code 1, without a stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

/** Arguments that are not right: exit code 2, with a hint at the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
