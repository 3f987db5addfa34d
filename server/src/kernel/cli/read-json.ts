import { resolve } from 'node:path'
import type { ApiError } from '@muster/contract/api/errors'
import { openInput } from '../lib/line-reader.ts'
import { type CommandContext, CommandFailure } from './command.ts'

const bytesMaximum = 32 * 1024 * 1024

/**
 * Reads a JSON file; `-` is standard input.
 *
 * @throws CommandFailure if it cannot be read or is not JSON
 */
export async function readJsonFile(context: CommandContext, path: string): Promise<unknown> {
  const text = await readTextFile(context, path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailure(`${path} is not valid JSON: ${(error as Error).message}.`, { cause: error })
  }
}

/** Reads a text file; `-` is standard input. @throws CommandFailure if it cannot be read */
export async function readTextFile(context: CommandContext, path: string): Promise<string> {
  const file = path === '-' ? path : resolve(context.io.cwd, path)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of openInput(file, context.signal) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMaximum) throw new Error('it is larger than 32 MiB')
      chunks.push(chunk)
    }
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
}

/** Converts an API error to a command failure with one line per mistake. */
export const mistakesOf = (path: string, error: ApiError): CommandFailure =>
  new CommandFailure(
    [
      `${path} is invalid. Nothing was changed.`,
      ...error.mistakes.map(({ name, message }) => `- ${name} ${message}`),
    ].join('\n'),
    { cause: error },
  )
