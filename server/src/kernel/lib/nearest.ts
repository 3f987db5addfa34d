/**
 * Returns the word that is most similar to `typed`: the one with the fewest edits (a character added, removed or replaced, or
 * two neighbors swapped), if these are at most a third of its length.
 */
export function nearest(typed: string, words: Iterable<string>): string | undefined {
  let best: string | undefined
  let fewest = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const word of words) {
    // The difference in length is a lower bound, which skips most words of a long list.
    if (Math.abs(word.length - typed.length) >= fewest) continue
    const changes = changesBetween(typed.toLowerCase(), word.toLowerCase())
    if (changes < fewest) {
      fewest = changes
      best = word
    }
  }
  return best
}

/** Returns ` Did you mean X?` to append to an error message, or an empty string if no word is similar. */
export function didYouMean(typed: string, words: Iterable<string>): string {
  const meant = nearest(typed, words)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Returns the optimal string alignment distance. */
function changesBetween(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const swapped =
        from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? at(beforeLast, column - 2) + 1
          : replaced
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, replaced, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
