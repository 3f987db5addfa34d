const rules = new Intl.PluralRules('en')
const number = new Intl.NumberFormat('en-GB')

/** Returns the form of a noun that fits a number: `browser` or `browsers`. */
export const nounFor = (count: number, one: string, many = `${one}s`): string =>
  rules.select(count) === 'one' ? one : many

/**
 * Returns a number with its noun: `1 browser`, `2,500 browsers`, `10,000+ accounts`.
 *
 * @param more true if there are more than were counted
 */
export const counted = (count: number, one: string, many = `${one}s`, more = false): string =>
  `${number.format(count)}${more ? '+' : ''} ${more ? many : nounFor(count, one, many)}`
