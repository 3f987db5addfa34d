import { describe, expect, test } from 'vitest'
import { commentsOf, countComments, countDeclarations, countIdentifiers } from './language.ts'
import { readRepositoryFile, repositoryPaths } from './repository.ts'

/** Maximum share of the comments of an area that may start with a relative word, in percent. */
const relativeMaximumPercent = 1

/** Comments with a relative opener in areas above the maximum. Numbers only shrink. */
const relativeExceptions: Readonly<Record<string, number>> = {}

/** Names that house style has replaced, with the number of their uses. Numbers only shrink; new uses are refused. */
const replacedNames: ReadonlyMap<string, number> = new Map([
  ['Lead', 0],
  ['Walk', 0],
  ['planWalk', 0],
  ['glance', 0],
  ['stint', 0],
  ['stretch', 0],
  ['peek', 0],
  ['peekRecords', 0],
  ['openSlowly', 0],
  ['unhurried', 0],
  ['sole', 0],
  ['putNumbered', 0],
  ['putSql', 0],
  ['WriteTurns', 0],
  ['lendTurns', 0],
  ['borrowedTurns', 0],
  ['Privates', 0],
  ['privates', 0],
  ['Wishes', 0],
  ['isWished', 0],
  ['Wanted', 0],
  ['tellAudit', 0],
  ['tellEvent', 0],
  ['tellSeen', 0],
  ['told', 4],
  ['toldBy', 0],
  ['settleReuse', 0],
  ['settleShared', 0],
  ['settleTypedLogins', 0],
  ['Got', 0],
  ['Taken', 0],
  ['Released', 0],
  ['MadeAttempt', 0],
  ['pump', 0],
  ['mades', 0],
  ['PolicyTerms', 0],
  ['useAct', 0],
  ['act', 5],
  ['together', 1],
  ['whenOver', 0],
  ['soon', 3],
  ['breathe', 0],
  ['inTurns', 0],
  ['enter', 5],
  ['prove', 0],
  ['Hop', 0],
  ['ceremony', 0],
  ['Ceremony', 0],
  ['mend', 0],
])

/** Names that had several meanings, with the number of their top-level declarations. Numbers only shrink. */
const ambiguousNames: ReadonlyMap<string, number> = new Map([
  ['Place', 0],
  ['Sending', 0],
  ['Connection', 1],
  ['nameOf', 1],
  ['hostOf', 3],
])

const texts = Map.groupBy(
  repositoryPaths().filter((path) => /\/.*\.tsx?$/.test(path)),
  (path) => path.split('/')[0] ?? '',
)
const textsByArea = new Map(
  [...texts].map(([area, paths]) => [area, paths.map((path) => readRepositoryFile(path).text)]),
)
const allTexts = [...textsByArea.values()].flat()

/** Returns the names that occur more often than they may. */
const excess = (counts: ReadonlyMap<string, number>, maxima: ReadonlyMap<string, number>): string[] =>
  [...counts]
    .filter(([name, count]) => count > (maxima.get(name) ?? 0))
    .map(([name, count]) => `${name}: ${count}, at most ${maxima.get(name) ?? 0}`)

describe('the reader of comments', () => {
  test('finds block comments and runs of line comments, without their marks', () => {
    const text =
      '/** One. */\nconst a = 1\n/*\n * Two\n * lines.\n */\n  // Three,\n  // four.\nconst b = 2 // no\n'
    expect(commentsOf(text)).toEqual(['One.', 'Two\nlines.', 'Three,\nfour.'])
  })

  test('counts the comments that start with a relative word', () => {
    const bad = ['What it is.', 'Whether it is so.', 'Who asks.', 'So many are kept.', 'Where it is.']
    const good = ['Returns what it is.', 'Whatever it takes.', 'Number of these.', 'True while it runs.']
    const commented = (comments: readonly string[]) => comments.map((comment) => `/** ${comment} */\n`)
    expect(countComments(commented(bad))).toEqual({ all: 5, relative: 5 })
    expect(countComments(commented(good))).toEqual({ all: 4, relative: 0 })
  })
})

describe('the counters of names', () => {
  test('count identifiers, but not in comments, quoted texts and longer names', () => {
    const text = '// told\nconst told = \'told\' + tellTold(told$, "told") /* told */\nreturn [told]\n'
    expect(countIdentifiers([text], ['told'])).toEqual(new Map([['told', 2]]))
  })

  test('count declarations on the top level of files', () => {
    const texts = [
      'const hostOf = 1\n',
      'export function hostOf() {\n  const hostOf = 2\n}\n',
      'hostOf(hostOfUrl)\n',
    ]
    expect(countDeclarations(texts, ['hostOf'])).toEqual(new Map([['hostOf', 2]]))
  })

  test('report a number above its maximum', () => {
    const maxima = new Map([['told', 2]])
    expect(excess(new Map([['told', 2]]), maxima)).toEqual([])
    expect(excess(new Map([['told', 3]]), maxima)).toEqual(['told: 3, at most 2'])
    expect(excess(new Map([['soon', 1]]), maxima)).toEqual(['soon: 1, at most 0'])
  })
})

test.each([...textsByArea.keys()])('comments in %s/ start with a verb or a noun', (area) => {
  const { all, relative } = countComments(textsByArea.get(area) ?? [])
  const maximum = Math.floor((all * relativeMaximumPercent) / 100)
  expect(relative).toBeLessThanOrEqual(Math.max(maximum, relativeExceptions[area] ?? 0))
})

test('names that house style has replaced do not come back', () => {
  expect(excess(countIdentifiers(allTexts, [...replacedNames.keys()]), replacedNames)).toEqual([])
})

test('names that had several meanings get no further one', () => {
  expect(excess(countDeclarations(allTexts, [...ambiguousNames.keys()]), ambiguousNames)).toEqual([])
})
