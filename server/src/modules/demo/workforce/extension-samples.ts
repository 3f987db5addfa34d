import { createHash } from 'node:crypto'
import { readDemoJsonLines } from './demo-data.ts'

/** Invented browser extension. */
export interface SampleExtension {
  readonly extensionId: string
  readonly name: string
  readonly description: string
  readonly permissions: readonly string[]
  readonly hostPermissions: readonly string[]
  readonly homePageUrl: string | null
  /** Share of browsers that have it, from 0 to 1. */
  readonly reach: number
}

/** Returns an ID in the format of Chrome: the first half of a hash, in letters from a to p. */
const extensionIdOf = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, 32)
    .replace(/[0-9a-f]/g, (digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)] ?? 'a')

/** Extensions of the simulated workforce: a few are widespread, many are rare, and some ask for too many permissions. */
export const sampleExtensions: readonly SampleExtension[] = readDemoJsonLines<
  Omit<SampleExtension, 'extensionId'>
>('extensions.jsonl').map((extension) => ({ extensionId: extensionIdOf(extension.name), ...extension }))
