import type { Command } from './command.ts'
import { configCommand } from './config.command.ts'
import { versionCommand } from './version.command.ts'

/** Every command of `muster`, in the order in which the help lists them. */
export const commands: readonly Command[] = [configCommand, versionCommand]
