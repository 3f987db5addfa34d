import { nearest } from '../lib/nearest.ts'
import { UsageError } from './command.ts'

/** Parses comma-separated words. @throws UsageError for an unknown word */
export function parseWords<Word extends string>(
  option: string,
  texts: readonly string[],
  known: readonly Word[],
): Word[] {
  const words = texts.flatMap((text) => text.split(',').map((word) => word.trim().toUpperCase()))
  return [...new Set(words.filter((word) => word !== ''))].map((word) => {
    const found = known.find((candidate) => candidate === word)
    if (found) return found
    const near = nearest(word, known)
    const hint = near ? `Did you mean ${near}?` : `Allowed: ${known.join(', ')}.`
    throw new UsageError(`${option}: unknown value ${JSON.stringify(word)}. ${hint}`)
  })
}
