/** From when on a version of the API is deprecated, and when it ends. UNIX seconds. */
export interface DeprecationDates {
  readonly deprecationTimestamp: number
  readonly sunsetTimestamp: number | null
}

/** What is wrong with a date, and what would be right. */
export interface DateMistake {
  readonly name: keyof DeprecationDates
  readonly message: string
}

const daySeconds = 24 * 60 * 60

/** Whether two announcements say the same. */
export const sameDates = (one: DeprecationDates | undefined, other: DeprecationDates): boolean =>
  one !== undefined &&
  one.deprecationTimestamp === other.deprecationTimestamp &&
  one.sunsetTimestamp === other.sunsetTimestamp

/**
 * Checks dates before they are announced: nobody can be told in time of a day that has passed, and a version does not end
 * before it is deprecated (RFC 9745, section 4). A date that is in force already may stay.
 *
 * @returns all mistakes; none if the dates can be announced
 */
export function dateMistakes(
  { deprecationTimestamp, sunsetTimestamp }: DeprecationDates,
  inForce: DeprecationDates | undefined,
  nowSeconds: number,
): DateMistake[] {
  const today = nowSeconds - (nowSeconds % daySeconds)
  const mistakes: DateMistake[] = []
  if (deprecationTimestamp < today && deprecationTimestamp !== inForce?.deprecationTimestamp)
    mistakes.push({ name: 'deprecationTimestamp', message: 'must be today (UTC) or later' })
  if (sunsetTimestamp === null) return mistakes
  if (sunsetTimestamp < deprecationTimestamp)
    mistakes.push({
      name: 'sunsetTimestamp',
      message: 'must not be before the date from which the version is deprecated',
    })
  else if (sunsetTimestamp < today && sunsetTimestamp !== inForce?.sunsetTimestamp)
    mistakes.push({ name: 'sunsetTimestamp', message: 'must be today (UTC) or later' })
  return mistakes
}
