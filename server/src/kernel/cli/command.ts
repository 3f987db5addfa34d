import type { TSchema } from 'typebox'
import type { Config, Environment } from '../config/config.ts'
import type { SettingName } from '../config/config-settings.ts'

/** Option of a command. The key `dryRun` is `--dry-run` on the command line. */
export interface OptionSpec {
  /** `flag`: set or not; `list`: may be repeated; `number`: a whole number. */
  readonly type: 'text' | 'number' | 'flag' | 'list'
  readonly help: string
  readonly required?: boolean
  /** Allowed values. */
  readonly choices?: readonly string[]
  /** Inclusive bounds of a number. */
  readonly minimum?: number
  readonly maximum?: number
  /** Default, as typed. */
  readonly fallback?: string
  /** Placeholder for the value in the help: `EMAIL`. */
  readonly placeholder?: string
  /** Schema of the contract. The text is brought into the canonical form of its format. */
  readonly schema?: TSchema
}

/** Positional argument. */
export interface PositionalSpec {
  /** Placeholder in the help: `FILE`. */
  readonly name: string
  readonly help: string
  readonly required?: boolean
  /** Takes all remaining words; only for the last positional. */
  readonly many?: boolean
  /** Schema of the contract for each word. The word is brought into the canonical form of its format. */
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

/** Values of a command's options. Flags are booleans, lists may be empty, others may be undefined. */
export type OptionValues<Options extends OptionSpecs> = {
  readonly [Name in keyof Options]: IsAlwaysThere<Options[Name]> extends true
    ? GivenValue<Options[Name]>
    : GivenValue<Options[Name]> | undefined
}

/** Options of a command by key. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** Arguments of a command. */
export interface CommandArguments<Options extends OptionSpecs = OptionSpecs> {
  readonly options: OptionValues<Options>
  /** Positional arguments in the order of their declaration; fewer if optional ones are omitted. */
  readonly words: readonly string[]
}

/** Input and output of the command line: the process, or a test. */
export interface CommandIo {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Environment
  readonly cwd: string
  /** Aborted by SIGINT or SIGTERM. A long-running command then finishes its current step and returns. */
  readonly signal: AbortSignal
}

/** Context of a command. */
export interface CommandContext {
  readonly io: CommandIo
  readonly signal: AbortSignal
  /** True if `--json` was given. Only commands that declare `json` accept it. */
  readonly json: boolean
  /** Loads the settings, including the flags of this call. @throws ConfigError */
  config(): Config
  /** Writes a line to standard output: the result. */
  print(line: string): void
  /** Writes a value to standard output as one line of JSON. */
  printJson(value: unknown): void
  /**
   * Writes a part of a long text to standard output and waits until it is flushed, because the reader may be slower.
   *
   * @returns false once the stream is closed or has failed
   */
  printPart(text: string): Promise<boolean>
  /** Writes a line to standard error: additional information for people. */
  note(line: string): void
}

/** Declaration of a command. Created by {@link defineCommand}. */
export interface Command<Options extends OptionSpecs = OptionSpecs> {
  /** One word (`serve`) or two (`keys create`). */
  readonly name: string
  /** One line in the imperative, without a period. */
  readonly summary: string
  /** Additional help below the options, such as examples. */
  readonly details?: string
  readonly options: Options
  readonly positionals?: readonly PositionalSpec[]
  /** Settings accepted as flags, in addition to `--data`, `--config` and `--database-url`. */
  readonly settings?: readonly SettingName[]
  /** True if the store must exist. Otherwise a mistyped data folder would get a new, empty store. */
  readonly needsStore?: boolean
  /** True if the command accepts `--json`. */
  readonly json?: boolean
  /**
   * Runs the command.
   *
   * @returns the exit code; undefined for 0
   * @throws CommandFailure for an expected failure, UsageError for invalid arguments
   */
  run(
    context: CommandContext,
    args: CommandArguments<Options>,
  ): Promise<number> | Promise<number | undefined> | Promise<void>
}

/** Declares a command. The types of its arguments are inferred from its options. */
export function defineCommand<const Options extends OptionSpecs>(command: Command<Options>): Command {
  return command
}

/** Expected failure, printed without a stack. Exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

/** Invalid arguments, printed with a hint at the help. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
