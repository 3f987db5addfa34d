import { describe, expect, test } from 'vitest'
import { commentsOf, countComments, countDeclarations, countIdentifiers } from './language.ts'
import { readRepositoryFile, repositoryPaths } from './repository.ts'

/** Maximum share of the comments of an area that may start with a relative word, in percent. */
const relativeMaximumPercent = 1

/** Comments with a relative opener in areas above the maximum. Numbers only shrink. */
const relativeExceptions: Readonly<Record<string, number>> = {
  agent: 181,
  bench: 31,
  console: 154,
  contract: 83,
  e2e: 50,
  lab: 5,
  scripts: 5,
  sdk: 26,
  server: 733,
  test: 80,
}

/** Names that house style has replaced, with the number of their uses. Numbers only shrink; new uses are refused. */
const replacedNames: ReadonlyMap<string, number> = new Map([
  ['Lead', 34],
  ['Walk', 15],
  ['planWalk', 3],
  ['glance', 2],
  ['stint', 4],
  ['stretch', 26],
  ['peek', 0],
  ['peekRecords', 17],
  ['openSlowly', 2],
  ['unhurried', 17],
  ['sole', 39],
  ['putNumbered', 4],
  ['putSql', 11],
  ['WriteTurns', 6],
  ['lendTurns', 3],
  ['borrowedTurns', 3],
  ['Privates', 23],
  ['privates', 170],
  ['Wishes', 18],
  ['isWished', 3],
  ['Wanted', 37],
  ['tellAudit', 64],
  ['tellEvent', 11],
  ['tellSeen', 3],
  ['told', 303],
  ['toldBy', 32],
  ['settleReuse', 8],
  ['settleShared', 0],
  ['settleTypedLogins', 7],
  ['Got', 8],
  ['Taken', 5],
  ['Released', 7],
  ['MadeAttempt', 6],
  ['pump', 3],
  ['mades', 3],
  ['PolicyTerms', 5],
  ['useAct', 5],
  ['act', 113],
  ['together', 51],
  ['whenOver', 10],
  ['soon', 10],
  ['breathe', 21],
  ['inTurns', 5],
  ['enter', 77],
  ['prove', 16],
  ['Hop', 31],
  ['ceremony', 13],
  ['Ceremony', 7],
  ['mend', 25],
])

/** Names that had several meanings, with the number of their top-level declarations. Numbers only shrink. */
const ambiguousNames: ReadonlyMap<string, number> = new Map([
  ['Place', 6],
  ['Sending', 5],
  ['Connection', 3],
  ['nameOf', 13],
  ['hostOf', 10],
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
