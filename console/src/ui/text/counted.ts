const rules = new Intl.PluralRules('en')
const number = new Intl.NumberFormat('en-GB')

/** Returns the form of a noun that fits a number: `browser` or `browsers`. */
export const nounFor = (count: number, one: string, many = `${one}s`): string =>
  rules.select(count) === 'one' ? one : many

/** Returns a count. One that ended early is `at least 2,500`. */
export const countText = (count: number, more = false): string =>
  `${more ? 'at least ' : ''}${number.format(count)}`

/**
 * Returns a number with its noun: `1 browser`, `2,500 browsers`, `at least 2,500 browsers`.
 *
 * @param more true if the count ended early, so there are at least that many
 */
export const counted = (count: number, one: string, many = `${one}s`, more = false): string =>
  `${countText(count, more)} ${more ? many : nounFor(count, one, many)}`
