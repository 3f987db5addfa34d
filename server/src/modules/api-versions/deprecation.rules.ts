/** Deprecation and end date of an API version, in UNIX seconds. */
export interface DeprecationDates {
  readonly deprecationTimestamp: number
  readonly sunsetTimestamp: number | null
}

/** An invalid date and the violated requirement. */
export interface DateMistake {
  readonly name: keyof DeprecationDates
  readonly message: string
}

const daySeconds = 24 * 60 * 60

export const sameDates = (a: DeprecationDates | undefined, b: DeprecationDates): boolean =>
  a !== undefined &&
  a.deprecationTimestamp === b.deprecationTimestamp &&
  a.sunsetTimestamp === b.sunsetTimestamp

/**
 * Validates dates before they are announced. Dates must not be in the past unless they are current already, and the end
 * must not precede the deprecation (RFC 9745, section 4).
 *
 * @returns all mistakes
 */
export function dateMistakes(
  { deprecationTimestamp, sunsetTimestamp }: DeprecationDates,
  current: DeprecationDates | undefined,
  nowSeconds: number,
): DateMistake[] {
  const today = nowSeconds - (nowSeconds % daySeconds)
  const mistakes: DateMistake[] = []
  if (deprecationTimestamp < today && deprecationTimestamp !== current?.deprecationTimestamp)
    mistakes.push({ name: 'deprecationTimestamp', message: 'must be today (UTC) or later' })
  if (sunsetTimestamp === null) return mistakes
  if (sunsetTimestamp < deprecationTimestamp)
    mistakes.push({
      name: 'sunsetTimestamp',
      message: 'must not be before the deprecation date',
    })
  else if (sunsetTimestamp < today && sunsetTimestamp !== current?.sunsetTimestamp)
    mistakes.push({ name: 'sunsetTimestamp', message: 'must be today (UTC) or later' })
  return mistakes
}
